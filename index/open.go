package index

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"
	"golang.org/x/sync/errgroup"

	"dssdnet/internal/manifest"
)

// Index is an open build. It is safe for concurrent use. Memory: about 60 bytes a patent, and the cache.
type Index struct {
	dir      string
	manifest Manifest
	snapshot *index.Snapshot
	segments []openSegment
	patents  *Patents
	fields   []Field
	cache    *cache
	decoders sync.Pool
}

// Field are the statistics of a field over the live patents.
type Field struct {
	FieldInfo
	Lengths []uint32 // by ordinal
}

// Options of opening.
type Options struct {
	CacheBytes int64 // bound of the decoded postings that are kept, 5 bytes a posting
	Contents   bool  // keep the content hashes, 16 bytes a patent
}

// Open opens the build in dir, after comparing every file with the hash in its manifest. The error of a build that
// is damaged or of another version is of kind fault.Rejected and says what to do.
func Open(ctx context.Context, dir string, o Options) (*Index, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if err := verifyFiles(ctx, dir, m.Files); err != nil {
		return nil, err
	}
	ix, digest, err := load(ctx, dir, m, o)
	if err != nil {
		return nil, err
	}
	if err := ix.compare(digest); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// Measure opens a Bluge index that has no manifest yet, without comparing hashes. The manifest of the result has the
// name, the counts and the statistics that were measured; the rest is for the caller to fill in.
func Measure(ctx context.Context, dir, analyzer string, fields []FieldSpec) (*Index, error) {
	m := Manifest{Format: Format, Tool: manifest.Tool, Analyzer: analyzer}
	for _, field := range fields {
		m.Fields = append(m.Fields, field.String())
	}
	ix, digest, err := load(ctx, dir, m, Options{})
	if err != nil {
		return nil, err
	}
	ix.manifest.Patents = int64(ix.patents.Len())
	ix.manifest.Digest = digest.String()
	ix.manifest.Build = BuildName(analyzer, fields, ix.manifest.Patents, digest)
	ix.manifest.Segments = len(ix.segments)
	for _, field := range ix.fields {
		ix.manifest.Stats = append(ix.manifest.Stats, field.FieldInfo)
	}
	return ix, nil
}

// load reads what Open keeps in memory. It takes only analyzer and fields from the manifest.
func load(ctx context.Context, dir string, m Manifest, o Options) (*Index, Digest, error) {
	snapshot, err := index.OpenReader(BlugeConfig(dir))
	if err != nil {
		return nil, Digest{}, damaged(dir, "%v", err)
	}
	ix := &Index{dir: dir, manifest: m, snapshot: snapshot, cache: newCache(o.CacheBytes)}
	digest, err := ix.read(ctx, o.Contents)
	if err != nil {
		return nil, Digest{}, errors.Join(err, ix.Close())
	}
	ix.decoders.New = func() any { return &decoder{dictionaries: make([][]segment.Dictionary, len(ix.fields))} }
	return ix, digest, nil
}

func (ix *Index) read(ctx context.Context, contents bool) (digest Digest, err error) {
	if ix.segments, err = segmentsOf(ix.snapshot); err != nil {
		return digest, err
	}
	specs := ix.manifest.FieldSpecs()
	parts := make([]*segmentPatents, len(ix.segments))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range ix.segments {
		group.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if parts[i], err = readPatents(ix.segments[i], len(specs), contents); err != nil {
				return damaged(ix.dir, "segment %d: %v", i, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return digest, err
	}
	patents, lengths, err := joinPatents(ix.segments, parts, len(specs))
	if err != nil {
		return digest, damaged(ix.dir, "%v", err)
	}
	ix.patents = patents
	for field, spec := range specs {
		ix.fields = append(ix.fields, fieldOf(spec.Name, lengths[field]))
	}
	for _, part := range parts {
		digest.Join(part.digest)
	}
	return digest, nil
}

func fieldOf(name string, lengths []uint32) Field {
	f := Field{FieldInfo: FieldInfo{Name: name}, Lengths: lengths}
	for _, length := range lengths {
		f.Terms += int64(length)
		if length > 0 {
			f.Patents++
		}
	}
	if f.Patents > 0 {
		f.AverageLength = float64(f.Terms) / float64(f.Patents)
	}
	return f
}

// compare checks the manifest's claims against what was read.
func (ix *Index) compare(digest Digest) error {
	m := &ix.manifest
	if got := int64(ix.patents.Len()); got != m.Patents {
		return damaged(ix.dir, "it has %d patents, its manifest says %d", got, m.Patents)
	}
	if got := digest.String(); got != m.Digest {
		return damaged(ix.dir, "its patents have the digest %s, its manifest says %s", got, m.Digest)
	}
	if got := BuildName(m.Analyzer, m.FieldSpecs(), m.Patents, digest); got != m.Build {
		return damaged(ix.dir, "its analyzer, fields and patents have the name %s, its manifest says %s", got, m.Build)
	}
	for i, field := range ix.fields {
		if field.FieldInfo != m.Stats[i] {
			return damaged(ix.dir, "field %s has %+v, its manifest says %+v", field.Name, field.FieldInfo, m.Stats[i])
		}
	}
	return nil
}

// Close releases the files. Nothing of the index may be used after it.
func (ix *Index) Close() error { return ix.snapshot.Close() }

// Manifest is the manifest of the build.
func (ix *Index) Manifest() Manifest { return ix.manifest }

// Name is the name of the build.
func (ix *Index) Name() string { return ix.manifest.Build }

// Patents are the attributes of the patents.
func (ix *Index) Patents() *Patents { return ix.patents }

// Fields are the statistics of the fields, in the order of the manifest.
func (ix *Index) Fields() []Field { return ix.fields }

// FieldNumber is the place of a field in Fields, or -1.
func (ix *Index) FieldNumber(name string) int {
	for i := range ix.fields {
		if ix.fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Cache says how the cache of postings has done.
func (ix *Index) Cache() CacheStats { return ix.cache.statistics() }
