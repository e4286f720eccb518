package publish

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// member is one file of an archive, in order.
type memberFile struct{ name, content string }

func zipped(t testing.TB, members ...memberFile) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(m.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tarred(t testing.TB, members ...memberFile) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		kind := byte(tar.TypeReg)
		if strings.HasSuffix(m.name, "/") {
			kind = tar.TypeDir
		}
		if err := w.WriteHeader(&tar.Header{Name: m.name, Typeflag: kind, Mode: 0o644, Size: int64(len(m.content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bzipped is patent("EP-0000009-A1", "nine") as bzip2 writes it; Go only reads the format.
const bzipped = "QlpoOTFBWSZTWTiBiNAAABFfgBAAUAPgZ6MBRgA+p99AIABkJU01E09TGSYjJ5T1BtEDVPUaDQ0xGQAZDHJaE1v6ZXKzPODizBjoIQye2GMkYe5zT68caq19rSMSS1y2JOJm+DShsjyr5TETio3TvxXZcfrY3vSKgtF5smAlCpkRWuYiuCwowLeQu5IpwoSBxAxGgA=="

func TestArchives(t *testing.T) {
	dir := t.TempDir()
	one, two, three := patent("EP-0000001-A1", "one"), patent("EP-0000002-A1", "two"), patent("EP-0000003-A1", "three")
	write(t, dir, "a.zip", zipped(t, memberFile{"EP/", ""}, memberFile{"EP/1.xml", one}, memberFile{`EP\2.xml`, two}, memberFile{"__MACOSX/EP/._1.xml", "x"}, memberFile{"3.xml.gz", gzipped(t, three)}))
	write(t, dir, "b.tar", tarred(t, memberFile{"./EP/", ""}, memberFile{"./EP/1.xml", one}, memberFile{"EP/page.tif", "II*"}, memberFile{"inner.zip", zipped(t, memberFile{"2.xml", two}, memberFile{"3.xml", three})}))
	write(t, dir, "c.tar.gz", gzipped(t, tarred(t, memberFile{"1.xml", one}, memberFile{"2.xml", two})))
	write(t, dir, "d.tgz", gzipped(t, tarred(t, memberFile{"1.xml", one})))
	write(t, dir, "e.xml.gz", gzipped(t, one+two)+gzipped(t, three)) // two gzip members in a row are one file
	write(t, dir, "f.xml", gzipped(t, one))                          // its name is wrong
	write(t, dir, "g.zip", zipped(t))
	bz, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "h.xml.bz2", string(bz))

	c := start(t, dir)
	r, records := publishes(t, c)
	want := []string{
		"a.zip!3.xml.gz", "a.zip!EP/1.xml", "a.zip!EP/2.xml",
		"b.tar!EP/1.xml", "b.tar!inner.zip!2.xml", "b.tar!inner.zip!3.xml",
		"c.tar.gz!1.xml", "c.tar.gz!2.xml", "d.tgz!1.xml", "e.xml.gz", "e.xml.gz", "e.xml.gz", "f.xml", "h.xml.bz2",
	}
	if diff := cmp.Diff(want, within(dir, paths(records))); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{junkHidden: 1, junkImage: 1}, r.Junk); diff != "" {
		t.Errorf("junk (-want +got):\n%s", diff)
	}
	// zips 3, gzips 5, tars 3, bzip2 1
	if r.Files != 8 || r.DeadLetters != 0 || r.Archives != 12 {
		t.Errorf("result %+v", r)
	}
	for _, m := range flat(records) {
		checkRecord(t, m)
	}
	if left, err := os.ReadDir(c.Workspace.Temp()); err != nil || len(left) != 0 {
		t.Errorf("the folder for temporary files holds %v (%v)", left, err)
	}
}

// TestDamagedArchives shows that each archive fails by itself and with the right reason, and that what is intact in it
// is published.
func TestDamagedArchives(t *testing.T) {
	dir := t.TempDir()
	one, two := patent("EP-0000001-A1", noise(3000)), patent("EP-0000002-A1", "two")
	cut := func(s string, n int) string { return s[:len(s)-n] }
	flip := func(s, near string, by int) string {
		b := []byte(s)
		b[strings.Index(s, near)+by] ^= 0xff
		return string(b)
	}
	stored := tarred(t, memberFile{"1.xml", one}, memberFile{"2.xml", two})
	z := zipped(t, memberFile{"1.xml", one}, memberFile{"2.xml", two})
	encrypted := []byte(z)
	for i := range encrypted { // the flags in the table of contents
		if bytes.HasPrefix(encrypted[i:], []byte("PK\x01\x02")) {
			encrypted[i+8] |= flagEncrypted
			break
		}
	}
	deep := one
	for range maxNesting + 1 {
		deep = tarred(t, memberFile{"x", deep})
	}
	spaces := strings.Repeat(" ", bombFloor+1)
	bomb := "<a>" + spaces + "</a>"
	for name, content := range map[string]string{
		"good.xml":         two,
		"cut.xml.gz":       cut(gzipped(t, two+one), 20),
		"cut.tar":          stored[:len(one)/2+512],
		"cut.tar.gz":       cut(gzipped(t, stored), 500),
		"cut.zip":          cut(z, 10),
		"empty.xml.gz":     "",
		"checksum.xml.gz":  flip(gzipped(t, one), "", len(gzipped(t, one))-8),
		"member.zip":       flip(z, "PK\x03\x04", 200),
		"encrypted.zip":    string(encrypted),
		"no.zip":           "this is no zip",
		"no.tar":           strings.Repeat("this is no tar ", 100),
		"part.7z.002":      "\x00\x01\x02",
		"whole.7z":         "7z\xbc\xaf\x27\x1c",
		"named.xml":        "Rar!\x1a\x07",
		"deep.tar":         deep,
		"bomb.xml.gz":      gzipped(t, two+bomb),
		"bomb.zip":         zipped(t, memberFile{"1.xml", two}, memberFile{"bomb.xml", bomb}, memberFile{"never.xml", one}),
		"bomb.tar.gz":      gzipped(t, tarred(t, memberFile{"1.xml", two}, memberFile{"bomb.xml", bomb}, memberFile{"never.xml", one})),
		"nested.zip":       zipped(t, memberFile{"bomb.zip", zipped(t, memberFile{"bomb.xml", bomb})}, memberFile{"never.xml", one}),
		"in-a-healthy.tar": tarred(t, memberFile{"cut.gz", cut(gzipped(t, one), 20)}, memberFile{"2.xml", two}),
	} {
		write(t, dir, name, content)
	}
	c := start(t, dir)
	c.MaxArchiveRatio = 20
	r, records := publishes(t, c)
	wantLetters := []string{
		"bomb.tar.gz archive-bomb", "bomb.xml.gz archive-bomb", "bomb.zip archive-bomb",
		"checksum.xml.gz corrupt-archive",
		"cut.tar truncated-archive", "cut.tar.gz truncated-archive", "cut.xml.gz truncated-archive", "cut.zip corrupt-archive",
		"deep.tar" + strings.Repeat("!x", maxNesting) + " archive-too-deep",
		"empty.xml.gz truncated-archive",
		"encrypted.zip!1.xml encrypted-archive",
		"in-a-healthy.tar!cut.gz truncated-archive",
		"member.zip!1.xml corrupt-archive",
		"named.xml unsupported-archive",
		"nested.zip archive-bomb",
		"no.tar corrupt-archive", "no.zip corrupt-archive",
		"part.7z.002 unsupported-archive", "whole.7z unsupported-archive",
	}
	slices.Sort(wantLetters)
	if diff := cmp.Diff(wantLetters, within(dir, lettersOf(t, c))); diff != "" {
		t.Errorf("dead letters (-want +got):\n%s", diff)
	}
	if r.DeadLetters != int64(len(wantLetters)) {
		t.Errorf("%d dead letters counted", r.DeadLetters)
	}
	wantPaths := []string{"bomb.tar.gz!1.xml", "bomb.xml.gz", "bomb.zip!1.xml", "cut.xml.gz", "encrypted.zip!2.xml", "good.xml", "in-a-healthy.tar!2.xml", "member.zip!2.xml"}
	if diff := cmp.Diff(wantPaths, within(dir, paths(records))); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

func TestMemberTooLarge(t *testing.T) {
	dir := t.TempDir()
	large, small := patent("EP-0000001-A1", "x")+patent("EP-0000002-A1", noise(5000)), patent("EP-0000003-A1", "small")
	write(t, dir, "a.zip", zipped(t, memberFile{"large.xml", large}, memberFile{"small.xml", small}))
	write(t, dir, "b.tar", tarred(t, memberFile{"large.xml", large}, memberFile{"small.xml", small}))
	write(t, dir, "c.xml.gz", gzipped(t, large))
	write(t, dir, "d.xml", large) // no archive: however large it is, nobody has asked for less
	c := start(t, dir)
	c.MaxMemberBytes = 1000
	_, records := publishes(t, c)
	if diff := cmp.Diff([]string{"a.zip!large.xml member-too-large", "b.tar!large.xml member-too-large", "c.xml.gz member-too-large"}, within(dir, lettersOf(t, c))); diff != "" {
		t.Errorf("dead letters (-want +got):\n%s", diff)
	}
	for _, want := range []string{"a.zip!small.xml", "b.tar!small.xml", "d.xml"} {
		if !slices.Contains(within(dir, paths(records)), want) {
			t.Errorf("%s is not published", want)
		}
	}
}

// noise is text that does not compress: n hexadecimal digits of a fixed sequence.
func noise(n int) string {
	var b strings.Builder
	for x := uint64(1); b.Len() < n; x = x*6364136223846793005 + 1442695040888963407 {
		b.WriteByte("0123456789abcdef"[x>>60])
	}
	return b.String()
}
