#!/usr/bin/env bash
# Make sure that the system libraries are there: looks first, installs only what is missing.
#
#   system-packages.sh run              what Qt needs to open a window
#   system-packages.sh run test         and what the tests need: a virtual display, D-Bus, a keyring
#   system-packages.sh tools            what single tests need besides; without them those are skipped, and nothing fails
#   system-packages.sh render           what the optional page renderer needs
#   system-packages.sh package          what PyInstaller needs
#   system-packages.sh appimage         what packs an AppImage and compiles its head
#   system-packages.sh windows          Wine, a compiler for Windows and what checks signatures
#   system-packages.sh python3.12-venv  any package by name
#
# Debian and Ubuntu only; elsewhere it names the libraries and goes on. SYSTEM_PACKAGES=no skips it.
set -euo pipefail

# "a|b" means: a where the system has it, else b.
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

# Prints the name to install for an entry that is missing, nothing when it is there.
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
        echo "Not a Debian or Ubuntu system: install what corresponds to these packages if something is missing:" >&2
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
        echo "They could not be installed; the tests that use them are skipped." >&2
        return
    fi
    cat >&2 <<MESSAGE

System packages are missing and could not be installed from here. Please run

    sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}

and repeat the command. (SYSTEM_PACKAGES=no goes on without them; the window may then not open.)
MESSAGE
    return 1
}

main "$@"
