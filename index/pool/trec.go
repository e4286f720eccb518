package pool

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"dssdnet/internal/durable"
)

// WriteTREC writes the pool in dir as a TREC run file, gzipped if its name ends in .gz: a line a candidate with
// topic, Q0, patent, rank, score and tag. Scores have all their digits; trec_eval reads them as float32 and orders
// what is equal then by patent id, descending.
func WriteTREC(path, dir, tag string) error {
	reader, err := Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	f, err := durable.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if strings.HasSuffix(path, ".gz") {
		z := gzip.NewWriter(f)
		if err := writeRun(z, reader, tag); err != nil {
			return err
		}
		err = z.Close()
	} else {
		err = writeRun(f, reader, tag)
	}
	if err != nil {
		return err
	}
	return f.Replace()
}

func writeRun(w io.Writer, reader *Reader, tag string) error {
	lines := bufio.NewWriter(w)
	var line []byte
	for _, topic := range reader.Topics() {
		candidates, err := reader.Topic(topic)
		if err != nil {
			return err
		}
		for _, c := range candidates {
			line = append(append(append(line[:0], topic...), " Q0 "...), c.PatentID...)
			line = strconv.AppendInt(append(line, ' '), int64(c.Rank), 10)
			line = strconv.AppendFloat(append(line, ' '), c.Score, 'g', -1, 64)
			line = append(append(append(line, ' '), tag...), '\n')
			if _, err := lines.Write(line); err != nil {
				return err
			}
		}
	}
	return lines.Flush()
}
