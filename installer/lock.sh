#!/usr/bin/env bash
# Write requirements.lock anew: one file for Linux, macOS and Windows and every supported Python, with hashes and
# without the name of any package index.
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
"$uv" pip compile pyproject.toml --group dev --universal --python-version 3.11 \
    --generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock "$@"
if grep -nE 'https?://|file://|--(extra-)?index-url|--find-links' requirements.lock; then
    echo "requirements.lock names a package index or a path" >&2
    exit 1
fi
