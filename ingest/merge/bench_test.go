package merge

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// BenchmarkMerge makes patents/ from 96 MB of text in random order: everything, then with one new document in a
// hundred.
func BenchmarkMerge(b *testing.B) {
	const documents, textBytes = 4000, 24_000
	random := rand.New(rand.NewPCG(1, 2))
	var words strings.Builder
	for words.Len() < 4<<20 {
		fmt.Fprintf(&words, "%s ", strings.Repeat(string(rune('a'+random.IntN(26))), 1+random.IntN(3))+fmt.Sprint(random.IntN(5000)))
	}
	text := words.String()
	row := func(i, offset int) schemas.Document {
		return document(fmt.Sprintf("EP-%07d-A%d", i/2, i%2+1), int64(offset), func(d *schemas.Document) {
			from := random.IntN(len(text) - textBytes)
			d.DescriptionDE = text[from : from+textBytes]
		})
	}
	w := workspace.Dir(b.TempDir())
	order := random.Perm(documents)
	for file := range 8 {
		var rows []schemas.Document
		for _, i := range order[file*documents/8 : (file+1)*documents/8] {
			rows = append(rows, row(i, i))
		}
		writeDocuments(b, w, fmt.Sprint("batch-", file), 500, rows)
	}
	c := Default()
	c.Workspace, c.FileBytes = w, 16<<20
	b.Run("full", func(b *testing.B) {
		forced := c
		forced.Force = true
		b.SetBytes(documents * textBytes)
		for b.Loop() {
			mustRun(b, forced)
		}
	})
	b.Run("incremental", func(b *testing.B) {
		mustRun(b, c)
		n := 0
		for b.Loop() {
			b.StopTimer()
			var rows []schemas.Document
			for i := range documents / 100 {
				rows = append(rows, row(i, documents*(n+1)+i))
			}
			writeDocuments(b, w, fmt.Sprint("more-", n), 500, rows)
			n++
			b.StartTimer()
			mustRun(b, c)
		}
	})
}
