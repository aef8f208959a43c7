#!/usr/bin/env bash
# build_dmg.sh APPLICATION TARGET: sign WebRAG.app and put it into a disk image with a link to the Applications folder.
#
# SIGNING_IDENTITY   "Developer ID Application: ..." in the keychain. Without it, the signature is only valid on this machine, and macOS
#                    warns users on other machines.
# NOTARY_PROFILE     profile stored with `xcrun notarytool store-credentials`, to notarize the image, see notarize.sh.
set -euo pipefail

application=$1
target=$2
here=$(cd "$(dirname "$0")" && pwd)
identity=${SIGNING_IDENTITY:--}

sign() {
    local options=(--force --sign "$identity")
    if [[ "$identity" != - ]]; then options+=(--timestamp --options runtime); fi
    codesign "${options[@]}" "$@"
}

is_binary() { [[ "$(file --brief "$1")" == *Mach-O* ]]; }

# Sign from the inside out: libraries, programs, then the application. Callbacks into Python need the entitlement, because they are
# machine code that is generated at run time. The entitlements file has no comments, because codesign rejects some of them.
sign_application() {
    local path
    while IFS= read -r -d '' path; do
        if is_binary "$path"; then sign "$path"; fi
    done < <(find "$application/Contents/Frameworks" -type f -print0)
    for path in "$application"/Contents/MacOS/*; do
        if [[ -f "$path" && ! -L "$path" ]]; then sign --entitlements "$here/entitlements.plist" "$path"; fi
    done
    sign --entitlements "$here/entitlements.plist" "$application"
    codesign --verify --deep --strict "$application"
}

make_image() {
    local folder
    folder=$(mktemp -d)
    # shellcheck disable=SC2064 # expand the folder now
    trap "rm -rf '$folder'" EXIT
    ditto "$application" "$folder/WebRAG.app"
    ln -s /Applications "$folder/Applications"
    rm -f "$target"
    hdiutil create -volname "WebRAG Desktop" -srcfolder "$folder" -format UDZO -fs HFS+ -quiet "$target"
}

sign_application
make_image
if [[ "$identity" != - ]]; then
    codesign --sign "$identity" --timestamp "$target"
fi
if [[ -n "${NOTARY_PROFILE:-}" ]]; then
    "$here/notarize.sh" "$target"
fi
