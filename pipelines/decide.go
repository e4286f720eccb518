package pipelines

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dssdnet/internal/manifest"
)

// decision is whether a step is to be run, and why, in words.
type decision struct {
	run     bool
	refused string // the step is not run, for its gate refused, and this is what it said
	why     string
	result  json.RawMessage // of the run that need not be repeated
}

// decide compares a step with its record.
func (r *run) decide(ctx context.Context, s *step) (decision, error) {
	if s.ifExists != "" {
		there, err := r.eyes.exists(ctx, s.ifExistsRef)
		if err != nil {
			return decision{}, err
		}
		if !there {
			return decision{why: fmt.Sprintf("there is no %s", s.ifExists)}, nil
		}
	}
	reasons, rec, err := r.reasons(ctx, s)
	if err != nil {
		return decision{}, err
	}
	if len(reasons) == 0 {
		d := decision{why: "nothing has changed since " + when(rec), result: rec.Result}
		if rec.Status == Refused {
			d.refused = rec.Error
			d.why = fmt.Sprintf("it was refused on %s, and nothing has changed since", when(rec))
		}
		return d, nil
	}
	if !slices.ContainsFunc(reasons, func(r reason) bool { return !r.feedback }) {
		reader, err := r.wanted(ctx, s)
		if err != nil {
			return decision{}, err
		}
		if reader == nil {
			return decision{result: rec.Result, why: "only the current model has changed, and nothing else that would need this step again"}, nil
		}
		return decision{run: true, why: fmt.Sprintf("%s, and %s is to be run", texts(reasons), reader.name)}, nil
	}
	return decision{run: true, why: texts(reasons)}, nil
}

func when(r *record) string { return r.Finished.Local().Format("2006-01-02 15:04") }

// reason is why a step is to be run.
type reason struct {
	text     string
	feedback bool // it is only that the current model is another
}

func texts(reasons []reason) string {
	var all []string
	for _, r := range reasons {
		if r.text != "" {
			all = append(all, r.text)
		}
	}
	if len(all) > 3 {
		all = append(all[:3], fmt.Sprintf("and %d more reasons", len(all)-3))
	}
	return strings.Join(all, "; ")
}

// wanted is a step that reads what s writes and has a reason of its own to be run.
func (r *run) wanted(ctx context.Context, s *step) (*step, error) {
	for _, reader := range r.plan.consumers(s) {
		reasons, _, err := r.reasons(ctx, reader)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(reasons, func(r reason) bool { return !r.feedback }) {
			return reader, nil
		}
		if deeper, err := r.wanted(ctx, reader); deeper != nil || err != nil {
			return deeper, err
		}
	}
	return nil, nil
}

// reasons are why the record of a step does not hold any more.
func (r *run) reasons(ctx context.Context, s *step) ([]reason, *record, error) {
	rec, err := loadRecord(recordPath(r.Workspace, r.plan.name, s.name))
	switch {
	case err != nil:
		return nil, nil, err
	case r.Force:
		return []reason{{text: "--force"}}, rec, nil
	case rec == nil:
		return []reason{{text: "it has not been run here"}}, nil, nil
	}
	var all []reason
	add := func(format string, args ...any) { all = append(all, reason{text: fmt.Sprintf(format, args...)}) }
	if rec.Stage != s.stage {
		add("its stage was %s", rec.Stage)
	}
	if rec.Tool != manifest.Tool {
		add("dssdnet was %s and is %s", rec.Tool, manifest.Tool)
	}
	if !slices.Equal(rec.Args, s.args) {
		add("its arguments were %q", strings.Join(rec.Args, " "))
	}
	now := settingsOf(s.section)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if was, known := rec.Settings[key]; was != now[key] && (known || now[key] != "") {
			add("%s was %s and is %s", key, quoted(was), quoted(now[key]))
		}
	}
	for _, in := range s.reads {
		now, err := r.eyes.look(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		if text := changed(rec.Inputs, now, in); text != "" {
			all = append(all, reason{text, r.plan.feedback(s, in)})
		}
	}
	for _, out := range s.writes {
		now, err := r.eyes.look(ctx, out)
		if err != nil {
			return nil, nil, err
		}
		if text := lost(rec.Outputs, now, out); text != "" {
			add("%s", text)
		}
	}
	return all, rec, nil
}

func quoted(value string) string {
	if value == "" || strings.ContainsAny(value, " ,;") {
		return fmt.Sprintf("%q", value)
	}
	return value
}

// named is the data of a name in a record.
func named(all []Data, name string) Data {
	for _, d := range all {
		if d.Name == name {
			return d
		}
	}
	return Data{Name: name}
}

// changed says how an input differs from the one of the record.
func changed(then []Data, now Data, in ref) string {
	was := named(then, now.Name)
	switch {
	case was.Fingerprint == now.Fingerprint:
		return ""
	case was.Fingerprint == "":
		return fmt.Sprintf("%s is new", now.Name)
	case now.Fingerprint == "":
		return fmt.Sprintf("%s is gone", now.Name)
	case in.topic != "":
		oldID, before := parseTopic(was.Fingerprint)
		id, ends := parseTopic(now.Fingerprint)
		if n := ends.since(before); oldID == id && n > 0 {
			return fmt.Sprintf("%s has %d new records", now.Name, n)
		}
		return fmt.Sprintf("%s is another topic than it was", now.Name)
	}
	return fmt.Sprintf("%s has changed", now.Name)
}

// lost says what of an output is not there any more.
func lost(then []Data, now Data, out ref) string {
	was := named(then, now.Name)
	switch {
	case was.Fingerprint == now.Fingerprint, was.Fingerprint == "":
		return ""
	case now.Fingerprint == "":
		return fmt.Sprintf("its output %s is gone", now.Name)
	case out.topic != "":
		oldID, before := parseTopic(was.Fingerprint)
		if id, ends := parseTopic(now.Fingerprint); oldID != id || ends.since(before) < 0 {
			return fmt.Sprintf("its output %s is another topic than it was", now.Name)
		}
		return ""
	case out.link != "":
		return "" // which model is current is nobody's output
	case out.shared && now.Files >= was.Files && now.Bytes >= was.Bytes:
		return "" // others add to it
	case out.shared:
		return fmt.Sprintf("its output %s has lost files", now.Name)
	}
	return fmt.Sprintf("its output %s is not what it left", now.Name)
}
