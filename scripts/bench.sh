#!/usr/bin/env bash
# Runs every benchmark against its peer in the same run. docs/speed.md says how to read the figures.
#   scripts/bench.sh [NAME...]   only the named ones: parse publish broker consume merge sample index
# DSSDNET_BENCH_MB (consume), DSSDNET_BENCH_PATENTS (sample, index) and DSSDNET_BENCH_TOPICS (sample) set the sizes.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=("$@")
bench() { # name, what, package, pattern, flags...
  local name=$1 what=$2 package=$3 pattern=$4
  shift 4
  if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then
    return
  fi
  printf '\n%s: %s\n' "$name" "$what"
  go test "./$package" -run '^$' -bench "$pattern" -timeout 60m "$@" |
    awk '/^Benchmark/ { sub(/^Benchmark/, "  "); print }  /^(FAIL|--- FAIL|panic)/ { print; bad = 1 }  END { exit bad }'
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
