#!/bin/sh
# Install packages into a virtual environment, which is made first where none works.
#
#   install.sh FOLDER REQUIREMENTS-FILE
#   install.sh FOLDER PACKAGE
#
# With uv where it is on PATH, else with pip. What these say reaches the screen only if they fail.
set -eu
folder=$1 wanted=$2
is_new_enough='import sys; sys.exit(sys.version_info < (3, 11))'

said=$(mktemp)
trap 'rm -f "$said"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

has_uv() {
    command -v uv >/dev/null && uv --version >/dev/null 2>&1
}

works() {
    "$folder/bin/python" -c "$is_new_enough" 2>/dev/null || return 1
    has_uv || "$folder/bin/python" -m pip --version >/dev/null 2>&1
}

# Say what is done, do it, and say how many seconds it took. If it fails, show all that it said, and stop.
step() {
    printf '%s ... ' "$1"
    shift
    begun=$(date +%s)
    if "$@" >"$said" 2>&1; then
        echo "$(($(date +%s) - begun)) s"
    else
        status=$?
        echo "failed:"
        cat "$said" >&2
        exit "$status"
    fi
}

# The newest Python. A command of that name may be there and not work (pyenv's shims, Apple's stub): each is tried.
find_python() {
    for python in python3.13 python3.12 python3.11 python3; do
        if "$python" -c "$is_new_enough" 2>/dev/null; then
            return
        fi
    done
    echo "Précis needs Python 3.11 or newer, and none is on PATH." >&2
    echo "Debian 12 or newer: sudo apt install python3 python3-venv   macOS: brew install python@3.13" >&2
    exit 1
}

make_environment() {
    find_python
    version=$("$python" -c 'import platform; print(platform.python_version())')
    if has_uv; then
        # pip, too: `spacy download` calls it. The variable is for versions that would ask before they replace a folder.
        path=$("$python" -c 'import sys; print(sys.executable)')
        step "Making $folder with Python $version and uv" \
            env UV_VENV_CLEAR=1 uv venv --seed --python "$path" "$folder"
        return
    fi
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$python lacks the module ensurepip or venv. On Debian and Ubuntu: sudo apt install python3-venv" >&2
        exit 1
    fi
    step "Making $folder with Python $version" "$python" -m venv --clear "$folder"
}

install() {
    if has_uv; then
        step "Installing $what" uv pip install --python "$folder/bin/python" --compile-bytecode "$@"
        return
    fi
    step "Installing $what" "$folder/bin/python" -m pip install --disable-pip-version-check --no-input \
        --progress-bar off "$@"
}

works || make_environment
if [ -f "$wanted" ]; then
    what="$(grep -c '==' "$wanted") packages"
    install --requirement "$wanted"
else
    what=$wanted
    install "$wanted"
fi
