package publish

import (
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"dssdnet/ingest/deadletter"
)

// failure is why a file or archive member could not be read to its end. It becomes a dead letter.
type failure struct{ class, message string }

func (f *failure) Error() string { return f.message }

func failf(class, format string, args ...any) error {
	return &failure{class, fmt.Sprintf(format, args...)}
}

// Classes of dead letters, the short reasons of dlq list.
const (
	classUnreadable  = "unreadable"
	classTruncated   = "truncated-archive"
	classCorrupt     = "corrupt-archive"
	classEncrypted   = "encrypted-archive"
	classUnsupported = "unsupported-archive"
	classBomb        = "archive-bomb"
	classMember      = "member-too-large"
	classNesting     = "archive-too-deep"
	classTopicLimit  = "too-large-for-topic"
)

// failureOf says what an error of reading means to the owner of the file.
func failureOf(err error) *failure {
	var (
		known  *failure
		flated flate.CorruptInputError
		bz     bzip2.StructuralError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &failure{classTruncated, "the archive ends in the middle: get it again, or publish its intact part unpacked"}
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &flated), errors.As(err, &bz),
		strings.HasPrefix(err.Error(), "archive/tar:"):
		return &failure{classCorrupt, fmt.Sprintf("the archive is damaged (%v): get it again", err)}
	}
	return &failure{classUnreadable, pathless(err).Error()}
}

// letter is the dead letter of a failure at a path. The documents before the failure are published.
func (f *failure) letter(topic, path string) deadletter.Letter {
	return deadletter.Letter{Stage: deadletter.StagePublish, Class: f.class, Message: path + ": " + f.message, Path: path, Topic: topic, Offset: -1}
}

// interrupted reports whether err is the end of the run and says nothing about the file at hand.
func interrupted(ctx context.Context, err error) bool { return err != nil && ctx.Err() != nil }
