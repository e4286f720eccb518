#!/usr/bin/env bash
# Runs every benchmark against its peer in the same run. docs/speed.md says how to read the figures.
#   scripts/bench.sh [NAME...]   only the named ones: parse publish broker consume merge sample index tokens train rerank
# DSSDNET_BENCH_MB (consume), DSSDNET_BENCH_PATENTS (sample, index) and DSSDNET_BENCH_TOPICS (sample) set the sizes.
# train and rerank need `make native`, and for their peer a Python with PyTorch: DSSDNET_TORCH_PYTHON, or one that is
# found. DSSDNET_BENCH_ENCODER=BERTbase (train) takes 18 GB and 8 minutes; DSSDNET_THREADS sets the threads of train.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=("$@")
wants() { [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }
bench() { # name, what, package, pattern, flags...
  local name=$1 what=$2 package=$3 pattern=$4
  shift 4
  wants "$name" || return 0
  printf '\n%s: %s\n' "$name" "$what"
  go test "./$package" -run '^$' -bench "$pattern" -timeout 60m "$@" |
    awk -v package="$package" '/^Benchmark/ { sub(/^Benchmark/, "  "); print; some = 1 }
      /^(FAIL|--- FAIL|panic)/ { print; bad = 1 }
      END { if (!some && !bad) print "  skipped: go test -v ./" package " -run - -bench . says why"; exit bad }'
}

torch_python() { # the first Python with PyTorch, or nothing
  local p
  for p in ${DSSDNET_TORCH_PYTHON:-python3 /usr/bin/python3}; do
    if "$p" -c 'import torch, numpy' 2>/dev/null; then
      command -v "$p"
      return
    fi
  done
}

[ -x .cache/venv/bin/python ] && export DSSDNET_PYTHON="$PWD/.cache/venv/bin/python"

bench parse "x-etree is the ratio to Python's xml.etree on the same documents and fields; goal 5 or more" \
  ingest/patentxml AgainstEtree
bench publish "the steps of publishing beside plain reading of the same files" \
  ingest/publish Publish -benchtime 4x
bench broker "the embedded broker, acknowledged before and after it is on the disk" \
  ingest/broker Produce
bench consume "topic to zstd Parquet on one core, broker in another process; goal 60 MB/s, peak below 1000 MB" \
  ingest/consume TopicToParquet -benchtime 2x -cpu 1
bench merge "documents to patents in bounded memory" \
  ingest/merge Merge -benchtime 1x
bench sample "pairs and groups; shares of reading, drawing, writing, checking" \
  sampler Sample -benchtime 1x
lucene=Lucene
{ command -v java && command -v mvn; } >/dev/null || lucene="Lucene (left out: needs java and mvn)"
bench index "exact BM25; x is the time on the same topics of Bluge's collector (goal 60), $lucene (goal 3), bm25s if installed" \
  index 'Build|Search' -benchtime 1x

vocab=$PWD/.cache/encoder/all-MiniLM-L6-v2/vocab.txt # scripts/torch-encoder.sh; else a small one
[ ! -e "$vocab" ] || export DSSDNET_VOCAB=${DSSDNET_VOCAB:-$vocab}
bench tokens "pairs to tokens on one thread; x is the time of Hugging Face tokenizers on the same pairs, if installed" \
  train/wordpiece Pairs
eager="PyTorch eager"
if wants train || wants rerank; then
  DSSDNET_PYTHON=$(torch_python)
  [ -n "$DSSDNET_PYTHON" ] || eager="PyTorch eager (left out: no Python here has it)"
  export DSSDNET_PYTHON OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
fi
bench train "a step and an inference batch of 64 pairs of 128 tokens; x is the time of $eager, in turns; goal 1 or more for a step" \
  train/dssd "Step/${DSSDNET_BENCH_ENCODER:-MiniLM}" -benchtime 1x
bench rerank "scoring 256 pairs; x is the time of $eager with all pairs padded to 128 tokens" \
  eval/rerank Score -benchtime 1x
