package train

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/sampler"
	"dssdnet/schemas/arrowfile"
)

// The splits of pairs that a run reads.
const (
	splitTrain = "train"
	splitValid = "valid"
)

// dataset is the shards of one split, checked.
type dataset struct {
	split     string
	paths     []string
	units     []unit // record batches, in the order of the files
	rows      int
	positives int
	different int    // pairs of different domains, t = 0
	alpha     string // of the sampler, "" when it gave none
	hash      string // of the files' content
	files     []manifest.Input
}

// unit is one record batch of a shard.
type unit struct{ shard, batch int }

// openDataset reads every shard once: a bad label or a damaged file must show before the first step.
func openDataset(dir, split string) (*dataset, error) {
	paths, err := filepath.Glob(filepath.Join(dir, split+"-*.arrow"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fault.New(fault.Rejected, "%s has no %s-*.arrow: run dssdnet sample", dir, split)
	}
	d := &dataset{split: split, paths: paths} // Glob sorts
	sum := sha256.New()
	for i, path := range paths {
		if err := d.scan(i, path); err != nil {
			return nil, err
		}
		file, err := hashInto(sum, path)
		if err != nil {
			return nil, err
		}
		d.files = append(d.files, file)
	}
	d.hash = hex.EncodeToString(sum.Sum(nil))
	switch {
	case d.rows == 0:
		return nil, fault.New(fault.Rejected, "the %s pairs in %s have no rows: the sampler found no gold patent in a pool; see its manifest.json", split, dir)
	case d.positives == 0 || d.positives == d.rows:
		return nil, fault.New(fault.Rejected, "the %d %s pairs in %s all have the same label: nothing can be learnt from them", d.rows, split, dir)
	}
	return d, nil
}

// hashInto adds a file's content to a sum over several files, and describes the file on its own.
func hashInto(all io.Writer, path string) (manifest.Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return manifest.Input{}, err
	}
	defer f.Close()
	one := sha256.New()
	n, err := io.Copy(io.MultiWriter(all, one), f)
	return manifest.Input{Path: path, Size: n, SHA256: hex.EncodeToString(one.Sum(nil))}, err
}

func (d *dataset) scan(shard int, path string) error {
	r, err := arrowfile.Open(path, arrowfile.Pairs)
	if err != nil {
		return fault.New(fault.Rejected, "%s pairs: %w", d.split, err)
	}
	defer r.Close()
	if alpha, ok := r.Metadata(sampler.MetadataAlpha); ok {
		d.alpha = alpha
	}
	var rows []arrowfile.Pair
	for b := range r.Batches() {
		if rows, err = r.Read(b, rows); err != nil {
			return fault.New(fault.Rejected, "%s pairs: %w", d.split, err)
		}
		for i, p := range rows {
			if p.Label>>1 != 0 || p.Domain>>1 != 0 {
				return fault.New(fault.Rejected, "%s, record batch %d, row %d (%s, %s): label %d and domain %d must be 0 or 1",
					path, b, i, p.TopicID, p.DocID, p.Label, p.Domain)
			}
			d.positives += int(p.Label)
			d.different += 1 - int(p.Domain)
		}
		d.rows += len(rows)
		if len(rows) > 0 {
			d.units = append(d.units, unit{shard, b})
		}
	}
	return nil
}

// different domains among all pairs: alpha when the sampler's metadata have none.
func (d *dataset) share() (float64, error) {
	if d.alpha == "" {
		return float64(d.different) / float64(d.rows), nil
	}
	a, err := strconv.ParseFloat(d.alpha, 64)
	if err != nil || !(a >= 0 && a <= 1) {
		return 0, fault.New(fault.Rejected, "%s: the metadata give alpha as %q: sample the pairs again", d.paths[0], d.alpha)
	}
	return a, nil
}

// order is how a pass reads: units and rows as they lie, or shuffled by a seed.
type order struct {
	shuffle bool
	seed    uint64
	epoch   int
	buffer  int // rows that a shuffled pass draws from
}

// pass sends every row once. It returns early, with ctx's error, when ctx ends.
func (d *dataset) pass(ctx context.Context, o order, send func(arrowfile.Pair) error) error {
	units := append([]unit(nil), d.units...)
	if !o.shuffle {
		return d.read(ctx, units, send)
	}
	random := rand.New(rand.NewPCG(o.seed, uint64(o.epoch)))
	random.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	var buffer []arrowfile.Pair
	err := d.read(ctx, units, func(p arrowfile.Pair) error {
		if len(buffer) < o.buffer {
			buffer = append(buffer, p)
			return nil
		}
		i := random.IntN(len(buffer))
		out := buffer[i]
		buffer[i] = p
		return send(out)
	})
	if err != nil {
		return err
	}
	random.Shuffle(len(buffer), func(i, j int) { buffer[i], buffer[j] = buffer[j], buffer[i] })
	for _, p := range buffer {
		if err := send(p); err != nil {
			return err
		}
	}
	return nil
}

func (d *dataset) read(ctx context.Context, units []unit, send func(arrowfile.Pair) error) error {
	var r *arrowfile.Reader[arrowfile.Pair]
	open := -1
	defer func() {
		if r != nil {
			_ = r.Close()
		}
	}()
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return err
		}
		if u.shard != open {
			if r != nil {
				_ = r.Close()
			}
			next, err := arrowfile.Open(d.paths[u.shard], arrowfile.Pairs)
			if err != nil {
				r = nil
				return fmt.Errorf("%s pairs: %w", d.split, err)
			}
			r, open = next, u.shard
		}
		// No memory is reused: the shuffle buffer keeps rows.
		rows, err := r.Read(u.batch, nil)
		if err != nil {
			return fmt.Errorf("%s pairs: %w", d.split, err)
		}
		for _, p := range rows {
			if err := send(p); err != nil {
				return err
			}
		}
	}
	return nil
}
