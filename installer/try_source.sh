#!/usr/bin/env bash
# try_source.sh SUITE [MIRROR [PYTEST ARGUMENTS]]: run the first two commands of a new contributor, `make run` and `make test`, as an
# ordinary user in a new system that only has Python, make and sudo, not even Git.
#
#   sudo installer/try_source.sh bookworm
#   sudo installer/try_source.sh jammy MIRROR
#   sudo installer/try_source.sh noble MIRROR tests/text
#
# SUITE is bookworm (Debian 12), jammy (Ubuntu 22.04) or noble (24.04). MIRROR is its package mirror; for the suite of this
# machine, the default is the mirror of this machine. Needs root, debootstrap and 4 GB in TMPDIR. The script tests the working
# tree without ignored files, with PIP_* and the certificates of SSL_CERT_FILE. KEEP=yes keeps the system and prints its folder.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${1:?name the suite: bookworm, jammy or noble}
mirror=${2:-}
shift $(($# < 2 ? $# : 2))
root=$(mktemp -d -t "try-$suite.XXXXXX")
chmod 755 "$root"
person=ada
home=/home/$person
most_skipped=12

say() { printf '== %s\n' "$*"; }
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}
inside() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_person() {
    chroot --userspec="$person:$person" "$root" \
        env -i HOME="$home" USER="$person" LOGNAME="$person" PATH=/usr/bin:/bin LANG=C.UTF-8 CI=true "${passed[@]}" \
        env --chdir="$home/webrag" "$@"
}

passed=()
while IFS= read -r variable; do passed+=("$variable"); done < <(env | grep -E '^(PIP_[A-Z_]+|SSL_CERT_FILE|https?_proxy|no_proxy)=' || true)

tidy() {
    local entry
    for entry in /proc/[0-9]*; do
        if [[ "$(readlink "$entry/root" 2>/dev/null)" == "$root" ]]; then kill -KILL "${entry#/proc/}" 2>/dev/null || true; fi
    done
    for entry in dev/pts dev/shm proc; do
        if mountpoint -q "$root/$entry"; then umount "$root/$entry"; fi
    done
    if [[ "${KEEP:-no}" == yes ]]; then say "kept: $root"; else rm -rf --one-file-system "$root"; fi
}
trap tidy EXIT

own_mirror() {
    # shellcheck disable=SC2016 # names for apt, not for the shell
    apt-get indextargets --format '$(CODENAME) $(SITE)' 'Created-By: Packages' | awk -v name="$suite" '$1 == name { print $2; exit }'
}

# The required Python packages, and their repository in the suite.
make_root() {
    local components=main python=(python3 python3-venv) name number
    case "$suite" in
        bookworm) ;;
        jammy) components=main,universe python=(python3.11 python3.11-venv) ;;
        noble) components=main,universe ;;
        *) fail "$suite is not one of bookworm, jammy, noble" ;;
    esac
    mirror=${mirror:-$(own_mirror)}
    [[ -n "$mirror" ]] || fail "this machine has no mirror of $suite: pass one"
    debootstrap --variant=minbase --components="$components" "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
        { tail "$root.log"; fail "debootstrap"; }
    rm "$root.log"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    mount -t proc proc "$root/proc"
    while read -r name number; do
        # shellcheck disable=SC2086 # two numbers
        [[ -e "$root/dev/$name" ]] || mknod -m 666 "$root/dev/$name" c $number
    done <<<$'null 1 3\nzero 1 5\nrandom 1 8\nurandom 1 9\ntty 5 0'
    mkdir -p "$root/dev/shm" "$root/dev/pts"
    mount -t tmpfs -o mode=1777,size=1g shm "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    ln -sf pts/ptmx "$root/dev/ptmx"
    ln -sfn /proc/self/fd "$root/dev/fd"
    inside apt-get -qq update
    inside apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends make sudo ca-certificates "${python[@]}" >/dev/null
    if [[ -n "${SSL_CERT_FILE:-}" ]]; then install -D -m 644 "$SSL_CERT_FILE" "$root$SSL_CERT_FILE"; fi
    if [[ -n "${PIP_FIND_LINKS:-}" && -d "${PIP_FIND_LINKS}" ]]; then
        mkdir -p "$root$PIP_FIND_LINKS"
        cp -a "$PIP_FIND_LINKS/." "$root$PIP_FIND_LINKS/"
    fi
    inside useradd --create-home --shell /bin/bash --user-group "$person"
    echo "$person ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$person"
}

copy_sources() {
    mkdir "$root$home/webrag"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        if [[ -e "$file" ]]; then printf '%s\0' "$file"; fi
    done | tar --create --null --files-from=- | tar --extract --directory "$root$home/webrag"
    inside chown -R "$person:$person" "$home/webrag"
}

seconds_of() {
    local began=$SECONDS
    "$@" || fail "$*"
    say "$* took $((SECONDS - began)) s"
}

say "create a minimal system ($suite)"
make_root
! inside sh -c 'command -v git' || fail "the system has Git"
copy_sources

say "make run"
seconds_of as_person make run </dev/null
seconds_of as_person make run </dev/null

say "make test"
log=$root/tmp/test.log
seconds_of as_person make test PYTEST_ARGS="$*" </dev/null > >(tee "$log") 2>&1
skipped=$(grep -Eo '[0-9]+ skipped' "$log" | tail -1 | cut -d' ' -f1 || true)
[[ "${skipped:-0}" -le $most_skipped ]] || fail "$skipped tests were skipped, at most $most_skipped are allowed"
say "passed: ${skipped:-0} skipped"
