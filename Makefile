# make setup    install what building and testing needs (Debian packages; says what it cannot install)
# make build    bin/dssdnet
# make native   bin/libdssdnet_torch.so, which train and rerank load (LIBTORCH=DIR or PYTHON=python3: another PyTorch)
# make test     everything that must pass before a change lands
# make demo     a small synthetic collection through every stage to a report, nothing else needed
# make bench    every benchmark against its peer, as ratios
# make lint     gofmt, go vet, golangci-lint with the import rules

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -X dssdnet/internal/manifest.Tool=$(VERSION)
GO      ?= go

.PHONY: setup build native test race demo bench lint clean

setup:
	@scripts/setup.sh

build: setup
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/dssdnet ./cmd/dssdnet

native:
	train/torch/native/build.sh

test: build
	@scripts/test.sh

race: setup
	$(GO) test -race -short ./internal/... ./ingest/... ./index/... ./sampler/... ./schemas/... ./pipelines/...

demo: build bin/libdssdnet_torch.so
	bin/dssdnet demo --workspace work/demo

bin/libdssdnet_torch.so: $(wildcard train/torch/native/*)
	train/torch/native/build.sh

bench: build
	@scripts/bench.sh

lint:
	@scripts/lint.sh

clean:
	rm -rf bin dist .cache
