#!/usr/bin/env bash
# try_package.sh PACKAGE [OLDER]: in a new Debian, install a .deb, .rpm, .AppImage or .whl, use it as a user would, remove it, and check
# for leftover files. With OLDER, a build with a lower version is installed first and updated while an assistant uses it.
#
# SUITE is the version of Debian, such as trixie, by default that of this machine. Needs root, debootstrap, network for apt and 3 GB in TMPDIR. A .rpm is
# installed by Debian's rpm, which does not know Debian's packages, so its dependencies are not checked. WHEELS is a folder with the
# packages that a .whl requires. Prints each step with its result; the exit status is 1 if one failed.
set -euo pipefail

package=$(realpath "$1")
older=${2:+$(realpath "$2")}
release_of() { sed -n "s/^$2=\"\?\([^\"]*\)\"\?$/\1/p" "$1/etc/os-release"; }
own_suite=$(release_of "" VERSION_CODENAME)
suite=${SUITE:-$own_suite}
base=${XDG_CACHE_HOME:-$HOME/.cache}/webrag-roots/$suite
kind=${package##*.}
root=$(mktemp -d -t "try-$kind.XXXXXX")
chmod 755 "$root"
person=ada
# Other programs of this machine can use the default port.
port=$((20000 + RANDOM % 10000))
home=/home/$person
config=$home/.config/Claude/claude_desktop_config.json
gone="gone-with-an-update.txt"
libraries=(libdrm2 libegl1 libfontconfig1 libfreetype6 libgl1 libwayland-client0 libwayland-cursor0 libwayland-egl1 libx11-6 libxcb1
    libxkbcommon0 libdbus-1-3 libglib2.0-0 xkb-data)
foreign='{
  "theme": "dark",
  "mcpServers": {
    "files": { "command": "/opt/other/server", "args": ["--root", "/srv"] }
  }
}'
case "$kind" in
    deb | rpm) webrag=/usr/bin/webrag desktop=/usr/bin/webrag-desktop registered=/usr/lib/webrag/webrag ;;
    AppImage) webrag=$home/Applications/WebRAG.AppImage desktop='' registered=$webrag ;;
    whl) webrag=$home/webrag/bin/webrag desktop=$home/webrag/bin/webrag-desktop registered=$home/webrag/bin/webrag ;;
    *) echo "unknown package: $package" >&2 && exit 2 ;;
esac

began=$SECONDS
# Print the result of a step that passed, with the seconds since the previous one.
ok() {
    printf 'ok    %s (%d s)\n' "$*" $((SECONDS - began))
    began=$SECONDS
}
fail() {
    printf 'FAIL  %s\n' "$*"
    exit 1
}
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_person() {
    chroot --userspec="$person:$person" "$root" \
        env -i HOME="$home" USER="$person" LOGNAME="$person" PATH=/usr/bin:/bin LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen MCP_PORT="$port" "$@"
}
apt() { inside apt-get -qq -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io "$@" >"$root/tmp/apt.log" 2>&1 || fail "apt-get $1: $(tail -5 "$root/tmp/apt.log")"; }

tidy() {
    local entry
    for entry in /proc/[0-9]*; do
        if [[ "$(readlink "$entry/root" 2>/dev/null)" == "$root" ]]; then kill -KILL "${entry#/proc/}" 2>/dev/null || true; fi
    done
    if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
    rm -rf --one-file-system "$root"
}
trap tidy EXIT

make_base() {
    local site
    # shellcheck disable=SC2016 # names for apt, not for the shell
    site=$(apt-get indextargets --format '$(CODENAME) $(SITE)' 'Created-By: Packages' | awk -v name="$own_suite" '$1 == name { print $2; exit }')
    mkdir -p "${base%/*}"
    debootstrap --variant=minbase "$suite" "$base.new" "$site" >"$base.log" 2>&1 || fail "debootstrap: $(tail -3 "$base.log")"
    mv "$base.new" "$base"
}

make_root() {
    [[ -d "$base" ]] || make_base
    cp -a "$base/." "$root/"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    mount -t proc proc "$root/proc"
    # Create the devices that a container lacks.
    local name number
    while read -r name number; do
        # shellcheck disable=SC2086 # two numbers
        [[ -e "$root/dev/$name" ]] || mknod -m 666 "$root/dev/$name" c $number
    done <<<$'null 1 3\nzero 1 5\nrandom 1 8\nurandom 1 9'
    mkdir -p "$root/dev/shm" "$root/dev/pts"
    chmod 1777 "$root/dev/shm"
    apt update
    case "$kind" in
        rpm) apt install -y --no-install-recommends rpm "${libraries[@]}" ;;
        AppImage) apt install -y --no-install-recommends "${libraries[@]}" ;;
        whl) apt install -y --no-install-recommends python3-venv "${libraries[@]}" && cp -a "$WHEELS" "$root/opt/wheels" ;;
    esac
    inside useradd --create-home --shell /bin/bash --user-group "$person"
    as_person mkdir -p "${config%/*}" "$home/.config/autostart" "$home/.local/share" "$home/Applications" "$home/.cache"
    as_person sh -c "cat >'$config'" <<<"$foreign"
    [[ "$kind" == whl ]] || ! inside sh -c 'command -v python3' || fail "the system has Python"
}

# Install a package, or update to it.
put() {
    local copy=/opt/${1##*/} log=$root/tmp/put.log
    cp "$1" "$root$copy"
    case "$kind" in
        deb) apt install -y --no-install-recommends "$copy" ;;
        rpm) inside rpm --upgrade --nodeps "$copy" >"$log" 2>&1 || fail "rpm: $(cat "$log")" ;;
        AppImage)
            as_person cp "$copy" "$webrag.new"
            as_person chmod +x "$webrag.new"
            as_person mv "$webrag.new" "$webrag"
            ;;
        whl)
            as_person test -d "$home/webrag" || as_person python3 -m venv "$home/webrag"
            as_person "$home/webrag/bin/pip" install -q --no-cache-dir --no-index --find-links /opt/wheels "$copy" >"$log" 2>&1 || fail "pip: $(cat "$log")"
            ;;
    esac
    rm "$root$copy"
}

# Remove the package as docs/install.md describes.
take_away() {
    case "$kind" in
        deb) apt purge -y webrag-desktop && apt autoremove --purge -y ;;
        rpm) inside rpm --erase webrag-desktop >/dev/null 2>&1 || fail "rpm --erase" ;;
        *)
            as_person "$webrag" unregister --own --delete-copies >/dev/null
            as_person "$webrag" autostart off >/dev/null
            as_person rm -rf "$home/webrag" "$webrag" "$home/.cache/webrag-appimage"
            ;;
    esac
}

# List files. The caches of fontconfig and the database of rpm belong to the system. rpm does not remove folders that other packages
# own on an RPM system.
listing() {
    local found=(-print)
    [[ "$kind" != rpm ]] || found=('!' -type d -print)
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/lib/rpm -o -path ./var/cache \
        -o -path ./root/.rpmdb -o -path ./var/log -o -path ".$home/.cache/fontconfig" -o -path ".$home/.local/share/webrag" \) \
        -prune -o "${found[@]}" | sort)
}

# A client in shell: initialize and list the tools. On a busy machine, the application starts more slowly than the bridge waits.
connect() {
    local line='' tries=10
    while [[ "$line" != *'"serverInfo"'* ]]; do
        ((tries--)) || fail "initialize: $line"
        if [[ -n "$line" ]]; then
            exec {to}>&-
            wait "$bridge" || true
        fi
        coproc BRIDGE { as_person "$webrag" mcp 2>"$root/tmp/bridge.log"; }
        # shellcheck disable=SC2154 # made by coproc
        to=${BRIDGE[1]} from=${BRIDGE[0]} bridge=$BRIDGE_PID
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"shell","version":"1"}}}' >&"$to"
        read -r -t 120 line <&"$from" || fail "no answer to initialize: $(cat "$root/tmp/bridge.log")"
    done
    echo '{"jsonrpc":"2.0","method":"notifications/initialized"}' >&"$to"
    echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' >&"$to"
    answer 2 '"kb_retrieve_evidence"' || fail "the list of tools: ${said:0:400}"
}

# Ask the question of the demonstration with this ID. An application that starts can be slower than the bridge waits.
ask() {
    local try
    for try in 10 11 12 13 14 15 16 17 18 19; do
        echo '{"jsonrpc":"2.0","id":'"$1$try"',"method":"tools/call","params":{"name":"search","arguments":{"query":"How do I connect an assistant?"}}}' >&"$to"
        if answer "$1$try" 'EVIDENCE'; then return; fi
        sleep 10
    done
    fail "no passage: ${said:0:400}"
}

# Whether the response with this ID contains a text. Skip notifications.
answer() {
    while read -r -t 120 said <&"$from"; do
        if [[ "$said" =~ \"id\":\ ?$1[^0-9] ]]; then
            [[ "$said" == *"$2"* ]]
            return
        fi
    done
    fail "no answer $1: $(cat "$root/tmp/bridge.log")"
}

disconnect() {
    exec {to}>&-
    wait "$bridge" || fail "the bridge ended with status $?"
}

# Self-tests have time limits, which a busy machine can exceed.
selftest() {
    local try
    for try in 1 2 3; do
        if as_person "$1" --selftest >"$root/tmp/selftest" 2>&1; then return; fi
    done
    fail "${1##*/} --selftest ($try times): $(tail -5 "$root/tmp/selftest")"
}

# Only the time of a handshake depends on the load of the machine.
doctor() {
    as_person "$webrag" doctor >"$root/tmp/doctor" 2>&1 || ! grep '^ *✗' "$root/tmp/doctor" | grep -v handshake || fail "webrag doctor: $(cat "$root/tmp/doctor")"
}

make_root
listing >"$root/tmp/before"
ok "system: $(release_of "$root" PRETTY_NAME)"

put "${older:-$package}"
[[ "$kind" == whl ]] || ! inside sh -c 'command -v python3' || fail "the package brought Python"
as_person test ! -e /etc/xdg/autostart/webrag.desktop || fail "it starts at login by default"
ok "install"

selftest "$webrag"
[[ -z "$desktop" ]] || selftest "$desktop"
ok "start: self-tests passed"

connect
ask 3
ok "ask: an answer from the guide through the bridge"

as_person "$webrag" register --client claude-desktop >/dev/null
as_person grep -q "\"$registered\"" "$config" || fail "the entry is not there: $(cat "$root$config")"
as_person grep -q '/opt/other/server' "$config" || fail "the entry of another program was lost"
as_person "$webrag" autostart on >/dev/null
doctor
ok "register: entry, start at login, doctor"

if [[ -n "$older" ]]; then
    put "$package"
    [[ -z "$(find "$root/usr/lib" "$root$home" -name $gone -print -quit 2>/dev/null)" || "$kind" == AppImage ]] || fail "a file of the older version was left"
    ask 4
    as_person grep -q "\"$registered\"" "$config" || fail "the update removed the entry: $(cat "$root$config")"
    doctor
    ok "update: the connected assistant gets an answer, entry kept"
fi

disconnect
take_away
diff <(printf '%s\n' "$foreign") "$root$config" >/dev/null || fail "the configuration of the assistant has changed"
[[ -f "$root$home/.local/share/webrag/corpus.db" ]] || fail "the library was deleted"
for entry in /proc/[0-9]*; do
    [[ "$kind" == AppImage || "$kind" == whl || "$(readlink "$entry/exe" 2>/dev/null)" != "$root/usr/lib/webrag/"* ]] || fail "a program still runs"
done
listing >"$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || fail "files were left or are missing"
ok "remove: nothing left but the library"
