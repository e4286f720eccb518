package eval

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"dssdnet/internal/durable"
	"dssdnet/schemas"
)

// writeTopics writes the table: runs in their order, topics by id, measures in their order.
func (e *Evaluation) writeTopics(path string) error {
	f, err := durable.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := schemas.NewWriter[schemas.Metric](schemas.Metrics, f)
	rows := make([]schemas.Metric, 0, len(e.Measures))
	for _, run := range e.Runs {
		for t := range e.Topics {
			rows = rows[:0]
			for m, measure := range e.Measures {
				if value := run.Values[m][t]; !math.IsNaN(value) {
					rows = append(rows, schemas.Metric{
						TopicID: e.Topics[t].ID, Measure: measure.Kind(), Cutoff: int32(measure.Cutoff()), Value: value, Model: run.Name, Pool: e.Config.Pool,
					})
				}
			}
			if _, err := w.Write(rows); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Replace()
}

func (e *Evaluation) writePerQuery(path string) error {
	return writeCSV(path, []string{"name", "qid", "measure", "value"}, func(row func(...string)) {
		for _, run := range e.Runs {
			for t := range e.Topics {
				for m, measure := range e.Measures {
					if value := run.Values[m][t]; !math.IsNaN(value) {
						row(run.Name, e.Topics[t].ID, measure.String(), number(value))
					}
				}
			}
		}
	})
}

func (r Result) writeAggregated(path string) error {
	return writeCSV(path, append([]string{"name"}, r.Measures...), func(row func(...string)) {
		for _, run := range r.Runs {
			line := []string{run.Name}
			for _, measure := range r.Measures {
				line = append(line, valueOf(run.All.Values, measure))
			}
			row(line...)
		}
	})
}

func (r Result) writeSlices(path string) error {
	header := []string{"name", "slice", "part", "topics", "golds", "dropped", "measure", "value"}
	return writeCSV(path, header, func(row func(...string)) {
		for _, run := range r.Runs {
			parts := append([]Part{{Slice: "all", Part: "all", Means: run.All}, {Slice: "reachable", Part: "yes", Means: run.Reachable}}, run.Slices...)
			for _, p := range parts {
				for _, measure := range r.Measures {
					row(run.Name, p.Slice, p.Part, strconv.Itoa(p.Topics), strconv.Itoa(p.Golds), strconv.Itoa(p.Dropped), measure, valueOf(p.Values, measure))
				}
			}
		}
	})
}

// valueOf is a value as text, "" for one that is not there.
func valueOf(values map[string]float64, measure string) string {
	value, ok := values[measure]
	if !ok {
		return ""
	}
	return number(value)
}

// number has all digits: a reader that parses it gets the same float64.
func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

func writeCSV(path string, header []string, write func(row func(...string))) error {
	f, err := durable.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := csvTo(f, header, write); err != nil {
		return err
	}
	return f.Replace()
}

func csvTo(w io.Writer, header []string, write func(row func(...string))) error {
	rows := csv.NewWriter(w)
	if err := rows.Write(header); err != nil {
		return err
	}
	write(func(columns ...string) { _ = rows.Write(columns) }) // the writer keeps its first error
	rows.Flush()
	return rows.Error()
}
