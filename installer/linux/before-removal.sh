#!/bin/sh
# Runs as root before the files of the package are removed or replaced (dpkg: remove, upgrade; rpm: 0, 1).
#
# On removal, the program removes its entries from the assistants' configuration files of each user, and its start at login. It runs as
# that user, without the rights of root. Entries for other programs or other copies of this one stay. Nothing else in a home
# folder is changed.
set -u

FOLDER=/usr/lib/webrag
PROGRAM=$FOLDER/webrag
SECONDS_EACH=30

# Print the processes of this package, without the bridges of assistants if "$1" is "applications".
running() {
    for entry in /proc/[0-9]*; do
        # rpm runs this after it replaced the files, so that the program of a running process is marked as deleted.
        exe=$(readlink "$entry/exe" 2>/dev/null)
        case "${exe% (deleted)}" in
            "$FOLDER"/webrag | "$FOLDER"/webrag-desktop) ;;
            *) continue ;;
        esac
        if [ "$1" = applications ] && tr '\0' '\n' <"$entry/cmdline" 2>/dev/null | grep -qx mcp; then continue; fi
        echo "${entry#/proc/}"
    done
}

# Terminate them and wait at most ten seconds.
stop() {
    pids=$(running "$1")
    [ -n "$pids" ] || return 0
    # shellcheck disable=SC2086 # a list of numbers
    kill -TERM $pids 2>/dev/null
    tries=50
    while [ "$tries" -gt 0 ] && [ -n "$(running "$1")" ]; do
        sleep 0.2
        tries=$((tries - 1))
    done
}

# as_person UID GID HOME NAME COMMAND...
as_person() {
    uid=$1 gid=$2 home=$3 name=$4
    shift 4
    timeout "$SECONDS_EACH" setpriv --reuid="$uid" --regid="$gid" --init-groups --no-new-privs \
        env -i HOME="$home" USER="$name" LOGNAME="$name" PATH=/usr/bin:/bin LANG=C.UTF-8 "$@" </dev/null
}

disconnect() {
    uid=$1 gid=$2 home=$3 name=$4
    if ! as_person "$uid" "$gid" "$home" "$name" "$PROGRAM" unregister --own --delete-copies >/dev/null 2>&1; then
        echo "webrag-desktop: could not remove an entry from the configuration of an assistant of $name." >&2
    fi
    state=$(as_person "$uid" "$gid" "$home" "$name" "$PROGRAM" autostart --json 2>/dev/null)
    case "$state" in
        *'"enabled": true'*'"needsRepair": false'*)
            as_person "$uid" "$gid" "$home" "$name" "$PROGRAM" autostart off >/dev/null 2>&1 ;;
    esac
}

# Disconnect every user who has a data folder. The test for the folder runs with the rights of the user.
disconnect_all() {
    command -v setpriv >/dev/null || return 0
    getent passwd | while IFS=: read -r name _ uid gid _ home _; do
        if [ "$uid" -ne 0 ] && [ "$uid" -lt 1000 ]; then continue; fi
        case "$home" in /?*) ;; *) continue ;; esac
        if as_person "$uid" "$gid" "$home" "$name" test -e "$home/.local/share/webrag" 2>/dev/null; then
            disconnect "$uid" "$gid" "$home" "$name"
        fi
    done
}

case "${1:-}" in
    remove | deconfigure | 0)
        stop all
        if [ -x "$PROGRAM" ]; then disconnect_all; fi
        ;;
    upgrade | 1)
        # Bridges keep running and start the new version when they need it.
        stop applications
        ;;
esac
exit 0
