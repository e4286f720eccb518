#!/usr/bin/env bash
# Runs every test. Where Python, Java or libtorch can be had, the tests that read our files with other tools, those
# against a real Apache Kafka and those of training run too; elsewhere they are skipped and say so.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh all

if python3 -c 'import venv, ensurepip' 2>/dev/null; then
  if tests/interop/setup-venv.sh .cache/venv; then
    export DSSDNET_PYTHON="$PWD/.cache/venv/bin/python"
  else
    echo "test: no Python packages; the tests that need them are skipped" >&2
  fi
fi

if command -v mvn >/dev/null && java -version >/dev/null 2>&1; then
  log=$(mktemp -d)
  if DSSDNET_KAFKA=$(scripts/kafka.sh start "$log"); then
    export DSSDNET_KAFKA
    trap 'scripts/kafka.sh stop "$log"; rm -rf "$log"' EXIT
  else
    echo "test: no Apache Kafka; the tests that need it are skipped" >&2
  fi
fi

train/torch/native/build.sh ||
  echo "test: no libtorch; the tests that need it are skipped" >&2

go vet ./...
go test -timeout 40m ./...
