#!/usr/bin/env bash
# Checks training on an NVIDIA GPU in under 8 minutes: builds the native library against the PyTorch that PYTHON imports,
# repeats the comparison with PyTorch's numbers on the GPU, trains a small model in bfloat16, interrupts and resumes it,
# and times training and inference beside PyTorch eager on the same GPU. Leaves bin/ as it is.
#
#   PYTHON=python3 scripts/gpu-check.sh          needs Go, a C++ compiler and a PyTorch with CUDA
#
# Without a GPU it says so and exits with 3. DSSDNET_DEVICE chooses another one than cuda:0.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
"$python" -c 'import torch' 2>/dev/null || {
  echo "gpu-check: $python has no PyTorch: set PYTHON to one that has it, with CUDA" >&2
  exit 1
}
"$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>/dev/null || {
  echo "gpu-check: no GPU: the PyTorch of $python ($("$python" -c 'import torch; print(torch.__version__)')) sees no CUDA device; nothing was checked" >&2
  exit 3
}
export DSSDNET_DEVICE=${DSSDNET_DEVICE:-cuda:0}
"$python" -c 'import sys, torch; print("gpu-check:", torch.cuda.get_device_name(sys.argv[1]) + ", PyTorch", torch.__version__)' "$DSSDNET_DEVICE"

dir=$PWD/.cache/gpu-check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$dir"
export DSSDNET_TORCH_LIB=$dir/libdssdnet_torch.so
PYTHON=$python OUT=$DSSDNET_TORCH_LIB BUILD=$dir/native train/torch/native/build.sh

echo "gpu-check: operations, encoder and losses against PyTorch's numbers, float32"
timeout 150 go test -count=1 ./train/torch ./train/bert ./train/dssd ./train/weights

echo "gpu-check: training in bfloat16, stopped and resumed"
go build -o "$work/dssdnet" ./cmd/dssdnet
dssdnet() { timeout 90 "$work/dssdnet" --workspace "$work/demo" --quiet "$@"; }
dssdnet run demo --until sample >/dev/null
pairs=$(ls "$work/demo/pairs" | head -1)
train() { dssdnet train --run gpu --pairs "$pairs" --encoder tiny --device "$DSSDNET_DEVICE" --precision bfloat16 --batch 16 --eval-steps 10 "$@"; }
train --max-steps 20
train --max-steps 40 --resume

echo "gpu-check: x is how many times faster than PyTorch eager, batches of 64 pairs of 128 tokens"
DSSDNET_PYTHON=$python timeout 200 go test ./train/dssd -run '^$' -bench 'Step/.*' -benchtime 1x | grep '^Benchmark'
