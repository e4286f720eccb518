package measure

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNamesPrintBack(t *testing.T) {
	for text, want := range map[string]string{
		"PRES@100": "PRES@100", "AP(rel=2)@400": "AP(rel=2)@400", "AP(rel=1)": "AP", "RR": "RR", "R@200": "Recall@200", "Hit@10": "Hit@10",
		"map_cut_100": "AP@100", "map_cut.100": "AP@100", "map": "AP", "MAP@100": "MAP@100", "recall_200": "Recall@200", "recall.200": "Recall@200",
		"ndcg_cut_10": "nDCG@10", "ndcg": "nDCG", "recip_rank": "RR", "success_1": "Success@1", "Recall(rel=2)@5": "Recall(rel=2)@5",
	} {
		m, err := Parse(text)
		if err != nil || m.String() != want {
			t.Errorf("%q is %v, %v, want %s", text, m, err, want)
			continue
		}
		if again, err := Parse(m.String()); err != nil || again != m {
			t.Errorf("%s reads back as %v, %v", m, again, err)
		}
	}
}

func TestBadNames(t *testing.T) {
	for text, says := range map[string]string{
		"": "none of Recall, PRES", "P@10": "none of", "PRES@": "cut-off", "PRES@0": "cut-off", "PRES@-1": "cut-off", "PRES@1.5": "cut-off",
		"AP(2)@10": "rel=G", "AP(rel=2@10": "rel=G", "AP(rel=0)": "rel=G", "AP(rel=x)": "rel=G", "nDCG(rel=2)@10": "takes no rel", "AP@10@20": "cut-off",
	} {
		if m, err := Parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is %v, error %v, want one about %q", text, m, err, says)
		}
	}
}

func TestEveryNameParses(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := rapid.SampledFrom(kinds).Draw(rt, "kind")
		m := Measure{kind: k, rel: 1, cutoff: rapid.IntRange(0, 5000).Draw(rt, "cutoff")}
		if !k.graded {
			m.rel = rapid.IntRange(1, 4).Draw(rt, "rel")
		}
		if got, err := Parse(m.String()); err != nil || got != m {
			rt.Fatalf("%s reads back as %v, %v", m, got, err)
		}
	})
}

func TestExpand(t *testing.T) {
	all, err := Expand([]string{"PRES", "AP(rel=2)@7", "RR", "PRES@100"}, []int{100, 200})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range all {
		names = append(names, m.String())
	}
	if want := []string{"PRES@100", "PRES@200", "AP(rel=2)@7", "RR@100", "RR@200"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	if _, err := Expand([]string{"PRES"}, nil); err == nil || !strings.Contains(err.Error(), "needs a cut-off") {
		t.Errorf("error %v", err)
	}
	if !slices.IsSortedFunc(all[:2], Compare) || Compare(all[0], all[2]) >= 0 {
		t.Error("the order is not that of the list")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("AP(rel=2)@400")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(m.String()); err != nil || again != m {
			t.Errorf("%q is %s, which reads back as %v, %v", text, m, again, err)
		}
	})
}
