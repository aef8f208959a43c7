#!/bin/sh
# Runs as root after the files of the package are gone (dpkg: purge; rpm: 0). Libraries are a person's own and stay, and root
# does not reach their keyrings; so it says where they are and how their owner deletes them.
case "${1:-}" in
    purge | 0)
        cat <<'MESSAGE'
webrag-desktop: libraries, settings and logs of the people on this machine were kept. Each can delete their own:
    rm -r ~/.local/share/webrag ~/.config/webrag
Keys that were stored are in their keyring under the name "WebRAG Desktop".
MESSAGE
        ;;
esac
exit 0
