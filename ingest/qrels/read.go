package qrels

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// maxLine is the longest line that is read: a file with a longer one is no qrels file.
const maxLine = 64 << 10

type pair struct{ topic, patent string }

// judgements is what was read of one file.
type judgements struct {
	grades map[pair]int32
	result Result
}

// read takes in every line of the file.
func (c Config) read(ctx context.Context, path string) (*judgements, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.Rejected, "qrels file %s cannot be read: %w", c.File, err)
	}
	defer f.Close()
	text, err := plain(f)
	if err != nil {
		return nil, fault.New(fault.Rejected, "qrels file %s: %w", c.File, err)
	}

	task := progress.Or(c.Progress).Start(stage, 0, progress.Records)
	defer task.Done()
	j := &judgements{grades: map[pair]int32{}, result: Result{Set: c.Set, Grades: map[int32]int64{}}}
	var first form
	lines := bufio.NewScanner(text)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	for n := int64(1); lines.Scan(); n++ {
		if n%10000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		judged, has, err := parseLine(string(line))
		if err == nil && first == 0 {
			first = has
		}
		if err == nil && has != first {
			err = fmt.Errorf("the line reads as %q, the file began with %q", has, first)
		}
		if err != nil {
			j.bad(n, err)
			continue
		}
		j.add(judged)
		task.Add(1)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fault.New(fault.Rejected, "%s has a line of more than %d bytes: it is no qrels file", c.File, maxLine)
	} else if err != nil {
		return nil, fault.New(fault.Rejected, "qrels file %s is damaged or cut short: %w: fetch it again", c.File, err)
	}
	return j, nil
}

// plain unpacks gzip, known by its first bytes.
func plain(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	magic, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	return gzip.NewReader(buffered)
}

func (j *judgements) bad(line int64, reason error) {
	j.result.BadLines++
	if len(j.result.Bad) < listed {
		j.result.Bad = append(j.result.Bad, BadLine{Line: line, Reason: reason.Error()})
	}
}

func (j *judgements) add(judged judgement) {
	j.result.RowsRead++
	if isImpossible(judged.id) {
		j.result.ImpossibleIDs++
	}
	if judged.grade <= 0 {
		j.result.GradeZero++
		return
	}
	key := pair{topic: judged.topic, patent: judged.id.PatentID()}
	grade, seen := j.grades[key]
	if seen {
		j.result.MergedDuplicates++
	}
	j.grades[key] = max(grade, judged.grade)
}

// rows returns the table in its order, and the counts.
func (j *judgements) rows(c Config) ([]schemas.Qrel, Result) {
	golds := map[string]int{}
	for key := range j.grades {
		golds[key.topic]++
	}
	rows := make([]schemas.Qrel, 0, len(j.grades))
	for key, grade := range j.grades {
		rows = append(rows, schemas.Qrel{
			TopicID: key.topic, PatentID: key.patent, Grade: grade, Set: c.Set,
			BrokenTopic: golds[key.topic] > c.MaxGoldsPerTopic,
		})
		j.result.Grades[grade]++
	}
	for _, n := range golds {
		if n > c.MaxGoldsPerTopic {
			j.result.BrokenTopics++
		}
	}
	slices.SortFunc(rows, func(a, b schemas.Qrel) int {
		return cmp.Or(cmp.Compare(a.TopicID, b.TopicID), cmp.Compare(a.PatentID, b.PatentID))
	})
	j.result.Topics, j.result.RowsWritten = int64(len(golds)), int64(len(rows))
	return rows, j.result
}
