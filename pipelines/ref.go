package pipelines

import (
	"path/filepath"
	"strings"

	"dssdnet/internal/workspace"
)

// ref is something that a stage reads or writes: a table of the workspace, a topic of Kafka, files elsewhere.
type ref struct {
	name  string   // patents, pools/bm25, kafka/patents.xml, or the absolute path of what lies outside the workspace
	paths []string // files and folders that it is made of; those whose names begin with a dot are none of it
	// key are the names of the files that tell one content from another, where not all do.
	key   []string
	topic string // of Kafka; then there are no paths
	link  string // symbolic link whose target is the content, for models

	optional bool // a stage does without it
	// shared is what others add to as well: as an output it holds as long as nothing is lost.
	shared bool
}

// Names of the workspace that stages share.
const (
	documents = "documents"
	patents   = "patents"
	topicSets = "topics"
	qrelSets  = "qrels"
	models    = "models"
)

// place makes refs of one workspace.
type place struct{ ws workspace.Dir }

// table is a folder of the workspace.
func (p place) table(name string) ref {
	return ref{name: name, paths: []string{p.ws.Table(name)}, shared: name == documents}
}

// sets are the files of topics/ or qrels/: those named, or all.
func (p place) sets(table string, names []string) []ref {
	if len(names) == 0 {
		return []ref{p.table(table)}
	}
	var all []ref
	for _, name := range names {
		all = append(all, ref{name: table + "/" + name, paths: []string{filepath.Join(p.ws.Table(table), name+".parquet")}})
	}
	return all
}

// index is the build that is current: its name is a hash of its content.
func (p place) index() ref {
	dir := p.ws.Table("index")
	return ref{name: "index", paths: []string{dir}, key: []string{"CURRENT"}}
}

// models is the registry, and the current model its content.
func (p place) models() ref {
	dir := p.ws.Table(models)
	return ref{name: models, paths: []string{dir}, link: filepath.Join(dir, "current"), shared: true}
}

// run is a TREC run; the note beside it has times.
func (p place) run(name string) ref {
	dir := p.ws.Table("runs")
	return ref{
		name: "runs/" + name, key: []string{name + runEnding},
		paths: []string{filepath.Join(dir, name+runEnding), filepath.Join(dir, name+".json")},
	}
}

const runEnding = ".trec.gz"

// report is a folder of reports/, of which a stage writes some files.
func (p place) report(name string, files ...string) ref {
	r := ref{name: "reports/" + name}
	for _, file := range files {
		r.paths = append(r.paths, filepath.Join(p.ws.Table("reports"), name, file))
	}
	return r
}

func (place) topic(name string) ref { return ref{name: "kafka/" + name, topic: name, shared: true} }

// file is a path that a user gives. One in the workspace has the name that stages know it by.
func (p place) file(path string) ref {
	abs := absolute(path)
	inside, err := filepath.Rel(absolute(string(p.ws)), abs)
	if err != nil || !filepath.IsLocal(inside) || inside == "." {
		return ref{name: abs, paths: []string{abs}}
	}
	name := filepath.ToSlash(inside)
	folder, base, _ := strings.Cut(name, "/")
	switch {
	case folder == "runs" && strings.HasSuffix(base, runEnding):
		return p.run(strings.TrimSuffix(base, runEnding))
	case name == models || strings.HasPrefix(name, models+"/current"):
		return p.models()
	case name == "index":
		return p.index()
	case (folder == topicSets || folder == qrelSets) && strings.HasSuffix(base, ".parquet"):
		return p.sets(folder, []string{strings.TrimSuffix(base, ".parquet")})[0]
	}
	return ref{name: name, paths: []string{abs}}
}

// absolute is the path itself where the current folder is gone.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

func optional(refs ...ref) []ref {
	for i := range refs {
		refs[i].optional = true
	}
	return refs
}

// touches reports whether one of the two is the other or a part of it.
func (r ref) touches(other ref) bool {
	return r.name == other.name || strings.HasPrefix(r.name, other.name+"/") || strings.HasPrefix(other.name, r.name+"/")
}
