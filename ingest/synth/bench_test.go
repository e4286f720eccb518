package synth

import "testing"

func testUniverse(seed int64, last int) *universe {
	cfg := Default()
	cfg.Seed, cfg.Patents = seed, last
	return newUniverse(cfg)
}

// BenchmarkDocuments writes every document of a patent, and throws it away.
func BenchmarkDocuments(b *testing.B) {
	a := author{universe: testUniverse(1, 100_000)}
	n := 50_000
	var bytes, documents int64
	for b.Loop() {
		n++
		a.begin(a.patent(n))
		for _, d := range a.documents {
			bytes += int64(len(a.document(d, true)))
			documents++
		}
	}
	b.SetBytes(bytes / int64(b.N))
	b.ReportMetric(float64(bytes)/float64(documents), "B/document")
}
