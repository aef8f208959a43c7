#!/bin/sh
# Runs as root after the files of the package are removed (dpkg: purge; rpm: 0). Libraries belong to the users and stay, and root
# cannot access their keyrings. The script tells users how to delete both.
case "${1:-}" in
    purge | 0)
        cat <<'MESSAGE'
webrag-desktop: the libraries, settings and logs of users were not deleted. Each user can delete their own:
    rm -r ~/.local/share/webrag ~/.config/webrag
Stored keys are in the user's keyring under the name "WebRAG Desktop".
MESSAGE
        ;;
esac
exit 0
