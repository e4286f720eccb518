package sampler

import (
	"encoding/json"
	"strconv"
	"strings"

	"dssdnet/internal/manifest"
)

// Keys of the schema metadata of every file of pairs/<name>/.
const (
	MetadataSplit      = "dssdnet.split"       // train, valid or test
	MetadataAlpha      = "dssdnet.alpha"       // share of t = 0 among the training pairs, a decimal number; "" without any
	MetadataSeed       = "dssdnet.seed"        // decimal
	MetadataNegatives  = "dssdnet.negatives"   // strategies with their shares
	MetadataPool       = "dssdnet.pool"        // pools, comma-separated
	MetadataIndexBuild = "dssdnet.index_build" // index build of the pools
	MetadataCounts     = "dssdnet.counts"      // Counts, JSON
	MetadataInputs     = "dssdnet.inputs"      // files read, with their hashes, JSON
)

// metadata is that of a file of a split, as pairs of key and value.
func (j *job) metadata(split side, inputs []manifest.Input) ([]string, error) {
	counts, err := json.Marshal(j.result.Counts)
	if err != nil {
		return nil, err
	}
	files, err := json.Marshal(inputs)
	if err != nil {
		return nil, err
	}
	return []string{
		MetadataSplit, split.String(), MetadataAlpha, j.result.Counts.alpha(), MetadataSeed, strconv.FormatInt(j.Seed, 10),
		MetadataNegatives, j.mix.String(), MetadataPool, strings.Join(j.Pool, ","), MetadataIndexBuild, j.pools.build,
		MetadataCounts, string(counts), MetadataInputs, string(files),
	}, nil
}

// alpha is the shortest decimal number that reads as Alpha.
func (c *Counts) alpha() string {
	if c.Alpha == nil {
		return ""
	}
	return strconv.FormatFloat(*c.Alpha, 'g', -1, 64)
}
