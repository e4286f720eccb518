package publish

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// readZip lists what directory finds: "name: content" or "name: error".
func readZip(data []byte) (found []string, err error) {
	d, err := readDirectory(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	for {
		e, err := d.next()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		r, err := d.open(e)
		if err == nil {
			var content []byte
			if content, err = io.ReadAll(io.LimitReader(r, 1<<20)); err == nil {
				found = append(found, e.name+": "+string(content))
				continue
			}
		}
		found = append(found, e.name+": "+err.Error())
	}
}

// TestZipAsTheLibraryReadsIt compares with archive/zip, for archives with and without the 64 bit extensions, stored and
// deflated, with a comment and with something before the archive.
func TestZipAsTheLibraryReadsIt(t *testing.T) {
	for name, members := range map[string]int{"empty": 0, "one": 1, "many": 300, "zip64": 1<<16 + 10} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			for i := range members {
				method := uint16(i % 2 * 8)
				if members > 1000 && i%1000 != 0 { // deflating many is slow
					method = zip.Store
				}
				f, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("EP/%d.xml", i), Method: method, Comment: strings.Repeat("c", i%5), Extra: []byte{9, 9, 1, 0, 7}})
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(f, "document %d %s", i, strings.Repeat("x", i%50))
			}
			if err := w.SetComment("a comment"); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			program := []byte("#!/bin/sh\n# unpacks itself\n")
			for _, data := range [][]byte{b.Bytes(), append(program, b.Bytes()...)} {
				got, err := readZip(data)
				if err != nil {
					t.Fatal(err)
				}
				if len(got) != members {
					t.Fatalf("%d members, want %d", len(got), members)
				}
				for i, g := range got {
					if want := fmt.Sprintf("EP/%d.xml: document %d %s", i, i, strings.Repeat("x", i%50)); g != want {
						t.Fatalf("member %d is %q, want %q", i, g, want)
					}
				}
			}
		})
	}
}

func TestZipUnknownMethod(t *testing.T) {
	data := []byte(zipped(t, memberFile{"a.xml", "content"}))
	at := bytes.Index(data, []byte("PK\x01\x02"))
	data[at+10] = 14 // LZMA
	found, err := readZip(data)
	if err != nil || len(found) != 1 || !strings.Contains(found[0], "method 14") {
		t.Errorf("found %q, error %v", found, err)
	}
}

// FuzzZip looks for archives that make the reader panic, hang or disagree with the library on intact ones.
func FuzzZip(f *testing.F) {
	f.Add([]byte(zipped(f, memberFile{"a.xml", "one"}, memberFile{"b/c.xml", strings.Repeat("two ", 1000)})))
	f.Add([]byte(zipped(f)))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := readZip(data)
		library, libraryErr := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil || libraryErr != nil {
			return
		}
		for i, file := range library.File {
			if file.Flags&flagEncrypted != 0 { // the library hands out what cannot be read
				continue
			}
			r, err := file.Open()
			if err != nil {
				continue
			}
			content, err := io.ReadAll(io.LimitReader(r, 1<<20))
			if err != nil || len(content) == 1<<20 {
				continue
			}
			if i >= len(found) || !strings.HasSuffix(found[i], ": "+string(content)) {
				t.Errorf("member %d: the library reads %.100q, we %.100q", i, content, found[min(i, len(found)-1)])
			}
		}
	})
}
