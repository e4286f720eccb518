#!/usr/bin/env bash
# Takes a synthetic collection through every stage with one `dssdnet run` (scripts/scale.yaml) and prints for each step
# seconds, processor seconds, peak memory and disk. docs/scale.md has the figures and says how they grow.
#
#   scripts/scale.sh FOLDER [PATENTS]    a new or empty FOLDER; 300000 patents: 10 GB of XML and 25 GB of disk in all
#
# Needs jq, make build and make native. SPOOL=2GiB bounds what the broker keeps. The XML is removed at the end, KEEP=1
# keeps it. FOLDER/scale-samples.tsv has a line every half second: time, step, processor ticks, disk without the XML, load.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command -v jq >/dev/null || { echo "scale: needs jq" >&2; exit 1; }
ws=$1
patents=${2:-300000}
dssdnet=${DSSDNET:-$root/bin/dssdnet}
results=$ws/run_results.json
samples=$ws/scale-samples.tsv
mkdir -p "$ws"
[ -z "$(ls -A "$ws")" ] || { echo "scale: $ws is not empty" >&2; exit 2; }

disk() { { du -s --block-size=1 --exclude=collection "$ws" 2>/dev/null || true; } | cut -f1; } # files come and go
running() { jq -r '[.steps[] | select(.status == "running").step][0] // "-"' "$results" 2>/dev/null || echo -; }

"$dssdnet" run "$root/scripts/scale.yaml" --workspace "$ws" --quiet --set "patents=$patents" --spool-bytes "${SPOOL:-2GiB}" \
  >"$ws/scale.out" 2>"$ws/scale.log" &
pid=$!
trap 'kill $pid 2>/dev/null || true' EXIT
for ((i = 0; ; i++)); do
  { read -ra stat <"/proc/$pid/stat"; } 2>/dev/null || break
  [ "${stat[2]}" != Z ] || break
  ((i % 10)) || used=$(disk)
  read -r load _ </proc/loadavg
  printf '%s\t%s\t%d\t%d\t%s\n' "$EPOCHREALTIME" "$(running)" $((stat[13] + stat[14])) "$used" "$load" >>"$samples"
  sleep 0.5
done
trap - EXIT
wait "$pid" || { cat "$ws/scale.log" >&2; exit 1; }

# What was used between two samples is counted for the step of the later one: half a second too much or too little.
awk -F'\t' -v hz="$(getconf CLK_TCK)" '
  { ticks[$2] += $3 - last; last = $3; if ($4 > most[$2]) most[$2] = $4; load[$2] += $5; n[$2]++ }
  END { for (s in ticks) printf "%s\t%.1f\t%.0f\t%.1f\n", s, ticks[s] / hz, most[s], load[s] / n[s] }' "$samples" |
  jq -R -s -r --slurpfile r "$results" '
    (split("\n") | map(select(. != "") | split("\t") | {key: .[0], value: .[1:]}) | from_entries) as $of
    | ["step", "seconds", "cpu-seconds", "peak-MB", "written-MB", "most-disk-MB", "load"],
      ($r[0].steps[] | . as $s | ($of[.step] // ["<0.5", "0", "-"]) as $o
        | [.step, (.seconds * 10 | round / 10), $o[0], (.peak_rss / 1e6 | round), ((.disk_bytes // 0) / 1e6 | round),
           ($o[1] | tonumber / 1e6 | round), $o[2]])
    | @tsv' | tee "$ws/scale.tsv" | column -t
[ -n "${KEEP:-}" ] || rm -rf "$ws/collection/collection"
