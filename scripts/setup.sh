#!/usr/bin/env bash
# Installs what building and testing needs on a Debian machine. Only the C++ compiler is a must (DuckDB is linked
# in); without the others the tests that need them are skipped and say so.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v go >/dev/null || { echo "setup: needs Go $(awk '$1=="go"{print $2}' go.mod) or later: https://go.dev/dl" >&2; exit 1; }

missing=()
command -v c++ >/dev/null || missing+=(g++)
if [ "${1:-}" = all ]; then
  python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
  command -v mvn >/dev/null || missing+=(maven)
  command -v chromium >/dev/null || missing+=(chromium)
  java -version >/dev/null 2>&1 || missing+=(default-jre-headless)
fi
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
if ! command -v apt-get >/dev/null || { [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; }; then
  echo "setup: please install: ${missing[*]}" >&2
  command -v c++ >/dev/null || exit 1
  exit 0
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
