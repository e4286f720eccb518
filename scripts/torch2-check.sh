#!/usr/bin/env bash
# Builds the native library against a current PyTorch 2.x and runs the tests of training with it. Leaves bin/ as it is.
#
#   scripts/torch2-check.sh                      installs PyTorch from pip into .cache/torch2, once (needs python3-venv)
#   PYTHON=python3 scripts/torch2-check.sh       uses the PyTorch that this Python imports
#
# DSSDNET_TORCH2=0 skips it; .ci/run runs it only with DSSDNET_TORCH2=1. TORCH2_INDEX is the URL of a package index with
# CPU-only wheels, which are a tenth of the size; TORCH2_VERSION pins a version.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${DSSDNET_TORCH2:-1}" = 0 ]; then
  echo "torch2-check: skipped, DSSDNET_TORCH2 is 0"
  exit 0
fi
dir=$PWD/.cache/torch2
python=${PYTHON:-$dir/venv/bin/python}
if [ -z "${PYTHON:-}" ] && ! "$python" -c 'import torch, numpy' 2>/dev/null; then
  echo "torch2-check: installing PyTorch into $dir/venv"
  python3 -m venv "$dir/venv"
  "$python" -m pip install --quiet ${TORCH2_INDEX:+--extra-index-url "$TORCH2_INDEX"} "torch${TORCH2_VERSION:+==$TORCH2_VERSION}" numpy
fi
"$python" -c 'import sys, torch; sys.exit(int(torch.__version__.split(".")[0]) < 2)' || {
  echo "torch2-check: $python has no PyTorch 2.x" >&2
  exit 1
}

export DSSDNET_TORCH_LIB=$dir/libdssdnet_torch.so
PYTHON=$python OUT=$DSSDNET_TORCH_LIB BUILD=$dir/native train/torch/native/build.sh
go test -count=1 ./train/...
