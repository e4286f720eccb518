#!/usr/bin/env bash
# gofmt, go vet and golangci-lint. The linter is built once into .cache/bin.
set -euo pipefail
cd "$(dirname "$0")/.."

version=v2.15.0
unformatted=$(gofmt -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || { echo "lint: not gofmt-ed: $unformatted" >&2; exit 1; }
go vet ./...
linter=.cache/bin/golangci-lint
if ! "$linter" version 2>/dev/null | grep -q "${version#v}"; then
  GOBIN="$PWD/.cache/bin" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
fi
"$linter" run ./...
