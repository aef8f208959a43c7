#!/usr/bin/env bash
# notarize.sh IMAGE: notarize a signed disk image and staple the ticket to it, so that it opens without a network.
#
# NOTARY_PROFILE   profile stored with `xcrun notarytool store-credentials`. This script does not read or store passwords.
set -euo pipefail

image=$1
profile=${NOTARY_PROFILE:?"set NOTARY_PROFILE to a profile of: xcrun notarytool store-credentials"}

said=$(xcrun notarytool submit "$image" --keychain-profile "$profile" --wait --timeout 30m --output-format json)
id=$(plutil -extract id raw -o - - <<<"$said")
status=$(plutil -extract status raw -o - - <<<"$said")
if [[ "$status" != Accepted ]]; then
    xcrun notarytool log "$id" --keychain-profile "$profile" >&2
    echo "Apple did not accept $image: $status" >&2
    exit 1
fi
xcrun stapler staple "$image"
spctl --assess --type open --context context:primary-signature "$image"
