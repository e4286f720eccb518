#!/usr/bin/env bash
# Makes the Python environment of the interop tests in DIR, or leaves it alone when it has what they need.
#   tests/interop/setup-venv.sh DIR && DSSDNET_PYTHON=DIR/bin/python go test ./tests/interop
set -euo pipefail
dir=${1:?usage: setup-venv.sh DIR}
requirements=$(dirname "$0")/requirements.txt

if [ -x "$dir/bin/python" ] && cmp -s "$requirements" "$dir/requirements.txt"; then
  exit 0
fi
python3 -m venv --clear "$dir"
"$dir/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"
cp "$requirements" "$dir/requirements.txt"
