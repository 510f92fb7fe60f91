#!/bin/sh
# Make the virtual environment in the folder given, with the newest Python >= 3.11 on PATH.
#
# A command of that name may be there and not work (pyenv's shims, Apple's stub): each is tried.
# An environment that already works is left alone.
set -eu
folder=$1
is_new_enough='import sys; sys.exit(sys.version_info < (3, 11))'

if "$folder/bin/python" -c "$is_new_enough" 2>/dev/null && "$folder/bin/python" -m pip --version >/dev/null 2>&1
then
    exit 0
fi

for python in python3.13 python3.12 python3.11 python3 none; do
    if [ "$python" != none ] && "$python" -c "$is_new_enough" 2>/dev/null; then
        break
    fi
done
if [ "$python" = none ]; then
    echo "Précis needs Python 3.11 or newer, and none is on PATH." >&2
    echo "Debian 12 or newer: sudo apt install python3 python3-venv   macOS: brew install python@3.13" >&2
    exit 1
fi
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "$python lacks the module ensurepip or venv. On Debian and Ubuntu: sudo apt install python3-venv" >&2
    exit 1
fi

echo "Making $folder with $("$python" --version) ..."
"$python" -m venv --clear "$folder"
