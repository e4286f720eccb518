package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Text is what a report shows of a patent or topic.
type Text struct {
	Title    string
	Abstract string
	IPC      []string
}

// textColumns are the columns of patents/ that a text is made of.
type textColumns struct {
	PatentID      string   `parquet:"patent_id"`
	Title         string   `parquet:"title,optional"`
	TitleDE       string   `parquet:"title_de,optional"`
	TitleFR       string   `parquet:"title_fr,optional"`
	Abstract      string   `parquet:"abstract,optional"`
	AbstractDE    string   `parquet:"abstract_de,optional"`
	AbstractFR    string   `parquet:"abstract_fr,optional"`
	IPCSubclasses []string `parquet:"ipc_subclasses,list"`
}

// PatentTexts returns the texts of some patents, English before German before French. A patent that is not in patents/
// has none. It reads all ids, and of the texts the pages that it needs.
func PatentTexts(ctx context.Context, ws workspace.Dir, ids map[string]bool) (map[string]Text, error) {
	texts := make(map[string]Text, len(ids))
	if len(ids) == 0 {
		return texts, nil
	}
	paths, err := workspace.TableFiles(ws.Table(schemas.Patents.Name))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if err := textsOf(ctx, path, ids, texts); err != nil {
			return nil, fmt.Errorf("texts of patents file %s: %w", filepath.Base(path), err)
		}
	}
	return texts, nil
}

// TopicText is the text of a topic.
func TopicText(t *schemas.Topic) Text {
	return Text{Title: cmp.Or(t.Title, t.TitleDE, t.TitleFR), Abstract: cmp.Or(t.Abstract, t.AbstractDE, t.AbstractFR), IPC: t.IPCSubclasses}
}

func textsOf(ctx context.Context, path string, ids map[string]bool, texts map[string]Text) error {
	places, err := placesOf(ctx, path, ids)
	if err != nil || len(places) == 0 {
		return err
	}
	file, err := schemas.Patents.OpenPath(path)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := parquet.NewGenericReader[textColumns](file.File)
	defer reader.Close()
	row := make([]textColumns, 1)
	for _, place := range places {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := reader.SeekToRow(place); err != nil {
			return err
		}
		clear(row)
		if n, err := reader.Read(row); n == 0 && err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		r := row[0]
		texts[r.PatentID] = Text{
			Title: cmp.Or(r.Title, r.TitleDE, r.TitleFR), Abstract: cmp.Or(r.Abstract, r.AbstractDE, r.AbstractFR), IPC: append([]string(nil), r.IPCSubclasses...),
		}
	}
	return nil
}

// placesOf returns the rows of a file that have the ids, ascending.
func placesOf(ctx context.Context, path string, ids map[string]bool) ([]int64, error) {
	type key struct {
		PatentID string `parquet:"patent_id"`
	}
	var places []int64
	var at int64
	err := schemas.EachRow(schemas.Patents, path, func(row *key) error {
		if ids[row.PatentID] {
			places = append(places, at)
		}
		at++
		return ctx.Err()
	})
	return places, err
}
