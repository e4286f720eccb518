package dssd

import (
	"slices"
	"testing"
)

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		from, n int
		want    []int
	}{
		{768, 4, []int{768, 576, 385, 194, 2}},    // 576.5 and 193.5 go to the even neighbour
		{1600, 4, []int{1600, 1200, 801, 402, 2}}, // 1200.5 and 401.5
		{384, 1, []int{384, 2}},
	} {
		if got := steps(c.from, 2, c.n); !slices.Equal(got, c.want) {
			t.Errorf("steps(%d, 2, %d) = %v, want %v", c.from, c.n, got, c.want)
		}
	}
}
