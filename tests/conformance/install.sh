#!/usr/bin/env bash
# Installs the outside programs, exactly as locked, into the given folder: those of the lock beside this file, or in another folder.
# Ends with 75 where they cannot be had: no npm, no registry, no room.
set -euo pipefail
here="$(cd "${2:-$(dirname "$0")}" && pwd)"
target="${1:?where to}"
# `npm ci`, or `npm install --no-save` for a lock that lacks packages for other systems which the registry does not have: both check the hashes.
how="${3:-ci}"
readonly UNAVAILABLE=75 LONGEST=10m TOO_LONG=124

if ! command -v npm >/dev/null; then
    echo "npm is not installed" >&2
    exit "$UNAVAILABLE"
fi
if cmp -s "$here/package-lock.json" "$target/node_modules/.installed-lock.json"; then
    exit 0
fi
limited=()
if command -v timeout >/dev/null; then
    limited=(timeout "$LONGEST")
fi
mkdir -p "$target"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$target/"
status=0
said="$(cd "$target" && ${limited[@]+"${limited[@]}"} npm $how --ignore-scripts --no-audit --no-fund --loglevel=error 2>&1)" || status=$?
if [[ $status != 0 ]]; then
    echo "$said" >&2
    if [[ $status == "$TOO_LONG" || -z "$said" ]] || grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOSPC|ETARGET|EAI_FAIL|E429|E404|E403|E401|E5[0-9][0-9]' <<<"$said"; then
    	echo "the npm registry cannot be reached, or does not have the packages" >&2
    	exit "$UNAVAILABLE"
    fi
    exit 1
fi
cp "$here/package-lock.json" "$target/node_modules/.installed-lock.json"
