#!/usr/bin/env bash
# Create .venv with exactly the packages of requirements.lock and the project itself, unless it is complete.
# PYTHON=/path/to/python selects the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."

SUPPORTED='import sys; sys.exit(not sys.version_info >= (3, 11))'
STAMP=.venv/.complete
BIN=.venv/bin
if [[ "$OSTYPE" == msys* || "$OSTYPE" == cygwin* ]]; then BIN=.venv/Scripts; fi

# Prefer an interpreter that can create environments. Debian packages the modules for it separately.
find_python() {
    local need candidate
    for need in "import ensurepip, venv; $SUPPORTED" "$SUPPORTED"; do
        for candidate in ${PYTHON:-python3.12 python3.13 python3.11 python3}; do
            if "$candidate" -c "$need" 2>/dev/null; then
                "$candidate" -c 'import sys; print(sys.executable)'
                return
            fi
        done
    done
    cat >&2 <<MESSAGE
Python 3.11, 3.12 or 3.13 was not found. Install it (Debian 12: apt install python3 python3-venv,
Ubuntu 22.04: apt install python3.11 python3.11-venv) or run: make PYTHON=/path/to/python3 ...
MESSAGE
    return 1
}

create() {
    local python version
    python=$(find_python)
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        installer/linux/system-packages.sh "python$version-venv"
    fi
    echo "Creating .venv with $("$python" --version)" >&2
    "$python" -m venv --clear .venv
}

# The sources of the environment, and its folder, because its scripts contain absolute paths.
wanted_state() {
    echo "$PWD"
    cksum requirements.lock
}

pip() { "$BIN/python" -m pip --disable-pip-version-check -qq "$@"; }

main() {
    local state project
    state=$(wanted_state)
    # The installed metadata contain the version.
    project=$(cksum pyproject.toml app/__init__.py)
    if [[ -f "$STAMP" && "$(cat "$STAMP")" == "$state"$'\n'"$project" ]] && "$BIN/python" -c "$SUPPORTED" 2>/dev/null; then
        return
    fi
    if ! "$BIN/python" -c "$SUPPORTED; import pip" 2>/dev/null || [[ -f "$STAMP" && "$(head -1 "$STAMP")" != "$PWD" ]]; then
        create
    fi
    if [[ ! -f "$STAMP" || "$(head -2 "$STAMP")" != "$state" ]]; then
        echo "Installing the locked packages (a minute or two)" >&2
        rm -f "$STAMP"
        # Install the locked pip first: older ones misread the lock's conditions on a pre-release Python, as in Ubuntu 22.04.
        pip install --require-hashes --no-deps -r <(awk '/^[^ ]/ { wanted = /^pip==/ } wanted' requirements.lock)
        pip install --require-hashes --no-deps --only-binary :all: -r requirements.lock
    fi
    pip install --no-deps --no-build-isolation -e .
    printf '%s\n%s\n' "$state" "$project" >"$STAMP"
}

main
