#!/usr/bin/env bash
# try_deb.sh PACKAGE.deb [BASE]: install the package in a new system without Python, use it as a user would, remove it, and
# check for leftover files. Needs root and debootstrap. BASE is an existing root (debootstrap --variant=minbase) to copy.
# The system is created in TMPDIR and temporarily takes 1.5 GB.
set -euo pipefail

package=$(realpath "$1")
base=${2:-}
root=$(mktemp -d -t try-deb.XXXXXX)
person=ada
home=/home/$person
config=$home/.config/Claude/claude_desktop_config.json
foreign='{
  "theme": "dark",
  "mcpServers": {
    "files": { "command": "/opt/other/server", "args": ["--root", "/srv"] }
  }
}'

say() { printf '== %s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_person() {
    chroot --userspec="$person:$person" "$root" \
        env -i HOME="$home" USER="$person" LOGNAME="$person" PATH=/usr/bin:/bin LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen "$@"
}

tidy() {
    local entry
    for entry in /proc/[0-9]*; do
        if [[ "$(readlink "$entry/root" 2>/dev/null)" == "$root" ]]; then kill -KILL "${entry#/proc/}" 2>/dev/null || true; fi
    done
    if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
    rm -rf --one-file-system "$root"
}
trap tidy EXIT

make_root() {
    local site codename
    # shellcheck disable=SC1091
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    if [[ -n "$base" ]]; then
        cp -a "$base/." "$root/"
    else
        # shellcheck disable=SC2016 # names for apt, not for the shell
        site=$(apt-get indextargets --format '$(CODENAME) $(SITE)' 'Created-By: Packages' | awk -v name="$codename" '$1 == name { print $2; exit }')
        debootstrap --variant=minbase "$codename" "$root" "$site" >"$root.log" 2>&1 || { tail "$root.log"; fail "debootstrap"; }
        rm "$root.log"
    fi
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
    inside apt-get -qq update
    inside useradd --create-home --shell /bin/bash --user-group "$person"
    as_person mkdir -p "${config%/*}" "$home/.config/autostart" "$home/.local/share"
    as_person sh -c "cat >'$config'" <<<"$foreign"
}

listing() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/cache \
        -o -path ./var/log -o -path ".$home/.local/share/webrag" \) -prune -o -print | sort)
}

# A client in shell: initialize, list the tools and call one.
talk() {
    local line
    coproc BRIDGE { as_person webrag mcp 2>"$root/tmp/bridge.log"; }
    # shellcheck disable=SC2154 # made by coproc
    local to=${BRIDGE[1]} from=${BRIDGE[0]} process=$BRIDGE_PID
    echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"shell","version":"1"}}}' >&"$to"
    read -r -t 60 line <&"$from" || fail "no answer to initialize: $(cat "$root/tmp/bridge.log")"
    [[ "$line" == *'"serverInfo"'* ]] || fail "initialize: $line"
    echo '{"jsonrpc":"2.0","method":"notifications/initialized"}' >&"$to"
    echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' >&"$to"
    answer 2 '"kb_retrieve_evidence"' "$from"
    echo '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"How do I connect an assistant?"}}}' >&"$to"
    answer 3 'EVIDENCE' "$from"
    exec {to}>&-
    wait "$process" || fail "the bridge ended with status $?"
}

# Check that the response with this ID contains a text. Skip notifications.
answer() {
    local line
    while read -r -t 60 line <&"$3"; do
        if [[ "$line" == *"\"id\":$1"* || "$line" == *"\"id\": $1"* ]]; then
            [[ "$line" == *"$2"* ]] || fail "answer $1 lacks $2: ${line:0:400}"
            return
        fi
    done
    fail "no answer $1: $(cat "$root/tmp/bridge.log")"
}

say "create the system"
make_root
! inside sh -c 'command -v python3' || fail "the system has Python"
listing >"$root/tmp/before"

say "install"
cp "$package" "$root/tmp/package.deb"
inside apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /tmp/package.deb >/dev/null
rm "$root/tmp/package.deb"
! inside sh -c 'command -v python3' || fail "the package brought Python"
as_person test ! -e /etc/xdg/autostart/webrag.desktop || fail "it starts at login by default"

say "self-tests"
as_person webrag --selftest
as_person webrag-desktop --selftest

say "an assistant through the bridge"
talk

say "register and doctor"
as_person webrag register --client claude-desktop >/dev/null
as_person grep -q '"/usr/lib/webrag/webrag"' "$config" || fail "the entry is not there: $(cat "$root$config")"
as_person grep -q '/opt/other/server' "$config" || fail "the entry of another program was lost"
as_person webrag autostart on
as_person webrag doctor || fail "webrag doctor reports problems"

say "remove"
inside apt-get -qq -o Dpkg::Use-Pty=0 purge -y webrag-desktop
inside apt-get -qq -o Dpkg::Use-Pty=0 autoremove --purge -y >/dev/null
diff <(printf '%s\n' "$foreign") "$root$config" || fail "the configuration of the assistant has changed"
[[ -f "$root$home/.local/share/webrag/corpus.db" ]] || fail "the library was deleted"
for entry in /proc/[0-9]*; do
    [[ "$(readlink "$entry/exe" 2>/dev/null)" != "$root/usr/lib/webrag/"* ]] || fail "a program still runs"
done
listing >"$root/tmp/after"
if ! diff "$root/tmp/before" "$root/tmp/after"; then fail "files were left or are missing"; fi
say "passed"
