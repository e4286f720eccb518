package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestKindOf(t *testing.T) {
	inner := New(Rejected, "open %s: %w", "a.zip", fs.ErrNotExist)
	wrapped := fmt.Errorf("publish: %w", inner)
	if KindOf(wrapped) != Rejected || !errors.Is(wrapped, fs.ErrNotExist) {
		t.Errorf("%v: kind %d", wrapped, KindOf(wrapped))
	}
	if got := KindOf(errors.Join(New(DeadLetters, "3 of 10"), errors.New("disk"))); got != DeadLetters {
		t.Errorf("kind of a joined error is %d", got)
	}
	if KindOf(errors.New("plain")) != Failed || KindOf(nil) != Failed {
		t.Error("a plain error is no plain failure")
	}
}
