#!/bin/sh
# Builds bin/libdssdnet_torch.so, the library that `dssdnet train` and `dssdnet rerank` load.
#
#   train/torch/native/build.sh                  Debian's libtorch-dev (installed by apt-get when absent and root)
#   LIBTORCH=DIR train/torch/native/build.sh     an unpacked libtorch, or the torch folder of a Python installation
#   PYTHON=python3 train/torch/native/build.sh   the PyTorch that this Python imports; with CUDA when it has it
#
# Any PyTorch from 1.13 to 2.x. CXX, OUT (the library's path), BUILD (objects) and JOBS can
# be set too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=${OUT:-$root/bin/libdssdnet_torch.so}
build=${BUILD:-$root/.cache/native}
cxx=${CXX:-g++}

if [ -n "${PYTHON:-}" ]; then
	LIBTORCH=$("$PYTHON" -c 'import os, torch; print(os.path.dirname(torch.__file__))') || {
		echo "build: $PYTHON has no PyTorch: install it (pip install torch), or leave PYTHON unset to use Debian's libtorch-dev" >&2
		exit 1
	}
	abi=$("$PYTHON" -c 'import torch; print(int(torch._C._GLIBCXX_USE_CXX11_ABI))')
fi

if [ -n "${LIBTORCH:-}" ]; then
	include="-isystem $LIBTORCH/include -isystem $LIBTORCH/include/torch/csrc/api/include"
	libs=$LIBTORCH/lib
	link="-L$libs -Wl,-rpath,$libs"
	[ -e "$libs/libtorch_cpu.so" ] || {
		echo "build: $libs has no libtorch_cpu.so: set LIBTORCH to the folder that holds include/ and lib/ of PyTorch" >&2
		exit 1
	}
	if [ -z "${abi:-}" ]; then
		# A library of the old ABI has std::string without the __cxx11 mark.
		abi=0
		nm -D "$libs/libc10.so" | grep -q 'c10.*__cxx11' && abi=1
	fi
else
	if [ ! -e /usr/include/torch/csrc/api/include/torch/version.h ]; then
		if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
			DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends libtorch-dev libopenblas0-openmp >&2
		else
			echo "build: no libtorch: apt-get install libtorch-dev libopenblas0-openmp, or set LIBTORCH or PYTHON (see $0)" >&2
			exit 1
		fi
	fi
	include="-isystem /usr/include/torch/csrc/api/include"
	libs=/usr/lib/$(uname -m)-linux-gnu
	link=
	abi=1
fi

version=$(sed -n 's/^#define TORCH_VERSION_\(MAJOR\|MINOR\) \([0-9]*\).*/\2/p' \
	"${LIBTORCH:-/usr}/include/torch/csrc/api/include/torch/version.h" | tr '\n' ' ')
[ -n "$version" ] || version=$(sed -n 's/^#define TORCH_VERSION_\(MAJOR\|MINOR\) \([0-9]*\).*/\2/p' \
	"${LIBTORCH:-/usr}/include/torch/headeronly/version.h" | tr '\n' ' ')
set -- $version
standard=c++17
[ "$1" -eq 1 ] && standard=c++14
[ "$1" -gt 2 ] || { [ "$1" -eq 2 ] && [ "$2" -ge 12 ]; } && standard=c++20

# With CUDA, linking its half is what makes its kernels known; nothing of it is called by name, hence no-as-needed.
torch="-Wl,--no-as-needed -ltorch -ltorch_cpu -lc10 -ldl"
[ ! -e "$libs/libtorch_cuda.so" ] || torch="$torch -ltorch_cuda -lc10_cuda -Wl,--allow-shlib-undefined"

flags="-std=$standard -O3 -fno-math-errno -fno-trapping-math -fopenmp-simd -fPIC -fvisibility=hidden -Wall -Wno-unknown-pragmas
	-D_GLIBCXX_USE_CXX11_ABI=$abi"

# Sources whose objects are newer than everything they are made of are not compiled again.
mkdir -p "$build" "$(dirname "$out")"
stamp=$(printf '%s' "$cxx $flags $include $link" | cksum | tr ' ' '-')
jobs=${JOBS:-$(nproc)}
objects=
todo=
for source in "$here"/*.cc; do
	object=$build/$(basename "$source" .cc)-$stamp.o
	objects="$objects $object"
	fresh=yes
	for dependency in "$source" "$here"/*.h; do
		[ "$object" -nt "$dependency" ] || fresh=no
	done
	[ $fresh = yes ] || todo="$todo $source $object"
done
# shellcheck disable=SC2086 # flags and pairs of names are meant to split
[ -z "$todo" ] || printf '%s %s\n' $todo | xargs -P "$jobs" -L 1 sh -c '"$0" '"$(echo $flags $include)"' -c "$1" -o "$2.part" && mv "$2.part" "$2"' "$cxx"
# shellcheck disable=SC2086
"$cxx" -shared -o "$out.part" $objects $link $torch -Wl,--no-undefined
mv "$out.part" "$out"
echo "$out: PyTorch $1.$2, $standard, ABI $abi"
