#!/usr/bin/env bash
# Update requirements.lock and installer/tools.lock for Linux, macOS and Windows and all supported Python versions, with
# hashes and without the names of package indexes.
set -euo pipefail
cd "$(dirname "$0")/.."

uv=$(command -v .venv/bin/uv || command -v uv || true)
if [[ -z "$uv" ]]; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    .venv/bin/python -m venv "$scratch"
    "$scratch/bin/pip" install --disable-pip-version-check -qq uv
    uv="$scratch/bin/uv"
fi
options=(--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet)
"$uv" pip compile pyproject.toml --group dev "${options[@]}" --output-file requirements.lock "$@"
"$uv" pip compile installer/tools.in --no-annotate "${options[@]}" --output-file installer/tools.lock "$@"
if grep -nE 'https?://|file://|--(extra-)?index-url|--find-links' requirements.lock installer/tools.lock; then
    echo "A lock file contains a package index or a path." >&2
    exit 1
fi
