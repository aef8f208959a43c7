#!/usr/bin/env bash
# Install missing system packages.
#
#   system-packages.sh run              libraries for the windows of Qt
#   system-packages.sh run test         and for the tests: a virtual display, D-Bus, a keyring
#   system-packages.sh tools            tools for single tests, which are skipped without them
#   system-packages.sh render           libraries for the optional page renderer
#   system-packages.sh package          tools for PyInstaller
#   system-packages.sh appimage         tools that pack an AppImage and compile its executable
#   system-packages.sh windows          Wine, a compiler for Windows and a signature checker
#   system-packages.sh python3.12-venv  any package by name
#
# On other systems than Debian and Ubuntu, it only prints the names. SYSTEM_PACKAGES=no skips it.
set -euo pipefail

# "a|b" means a if it is available, otherwise b.
RUN=(libegl1 libgl1 libfontconfig1 libfreetype6 "libglib2.0-0t64|libglib2.0-0" libdbus-1-3 libxkbcommon0
    libxkbcommon-x11-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0
    libxcb-render-util0 libxcb-shape0 libxcb-sync1 libxcb-util1 libxcb-xfixes0 libxcb-xkb1 fonts-dejavu-core)
TEST=(xvfb xauth openbox trayer imagemagick dbus dbus-x11 gnome-keyring)
TOOLS=(shellcheck desktop-file-utils appstream groff-base nsis binutils x11-utils libglib2.0-bin nodejs)
RENDER=(libnss3 libnspr4 "libasound2t64|libasound2" libgbm1 libudev1 libxcb-dri3-0 libxcomposite1 libxdamage1 libxext6
    libxfixes3 libxkbfile1 libxrandr2 libxrender1 libxtst6)
PACKAGE=(binutils)
APPIMAGE=(squashfs-tools gcc libc6-dev libsquashfuse-dev libzstd-dev zlib1g-dev)
WINDOWS=(wine wine64 gcc-mingw-w64-x86-64-win32 osslsigncode)

installed() { [[ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null)" == ii* ]]; }

# Print the name to install if an entry is missing.
missing_name() {
    local name names
    IFS='|' read -ra names <<<"$1"
    for name in "${names[@]}"; do
        if installed "$name"; then return; fi
    done
    for name in "${names[@]}"; do
        if apt-cache show "$name" >/dev/null 2>&1; then break; fi
    done
    echo "$name"
}

install() {
    local sudo=()
    if [[ $(id -u) -ne 0 ]]; then
        if ! sudo -n true 2>/dev/null; then return 1; fi
        sudo=(sudo -n)
    fi
    local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300
        -o Acquire::Retries=1 -o Acquire::http::Timeout=30)
    "${apt[@]}" update >&2 && "${apt[@]}" install -y --no-install-recommends "$@" >&2
}

main() {
    if [[ "${SYSTEM_PACKAGES:-yes}" == no || "$(uname -s)" != Linux ]]; then return; fi
    local wanted=() missing=() needed=yes group entry name
    for group in "$@"; do
        case "$group" in
            run) wanted+=("${RUN[@]}") ;;
            test) wanted+=("${TEST[@]}") ;;
            tools) wanted+=("${TOOLS[@]}") needed=no ;;
            render) wanted+=("${RENDER[@]}") ;;
            package) wanted+=("${PACKAGE[@]}") ;;
            appimage) wanted+=("${APPIMAGE[@]}") ;;
            windows) wanted+=("${WINDOWS[@]}") ;;
            *) wanted+=("$group") ;;
        esac
    done
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "This is not Debian or Ubuntu. Install the equivalent of these packages if something is missing:" >&2
        echo "  ${wanted[*]}" >&2
        return
    fi
    for entry in "${wanted[@]}"; do
        name=$(missing_name "$entry")
        if [[ -n "$name" ]]; then missing+=("$name"); fi
    done
    if [[ ${#missing[@]} -eq 0 ]]; then return; fi
    echo "Installing system packages: ${missing[*]}" >&2
    if install "${missing[@]}"; then return; fi
    if [[ $needed == no ]]; then
        echo "Could not install them. The tests that use them are skipped." >&2
        return
    fi
    cat >&2 <<MESSAGE

System packages are missing and could not be installed automatically. Run

    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}

and try again. SYSTEM_PACKAGES=no continues without them, but the window may not open.
MESSAGE
    return 1
}

main "$@"
