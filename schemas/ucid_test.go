package schemas

import "testing"

func TestParseUCID(t *testing.T) {
	for _, c := range []struct{ in, patent, ucid string }{
		{"EP-0050001-A2", "EP-0050001", "EP-0050001-A2"},
		{"EP-50001-A2", "EP-0050001", "EP-0050001-A2"},
		{"ep-50001", "EP-0050001", "EP-0050001"},
		{"WO-1999014762-A1", "WO-1999014762", "WO-1999014762-A1"},
		{"US-08926509-B2", "US-8926509", "US-8926509-B2"},
		{"US-D0668832-S1", "US-D668832", "US-D668832-S1"},
		{"US-H1-H", "US-H1", "US-H1-H"},
		{"US-20010009014-A1", "US-20010009014", "US-20010009014-A1"},
		{"JP-10000001-A", "JP-10000001", "JP-10000001-A"},
	} {
		got, err := ParseUCID(c.in)
		if err != nil || got.PatentID() != c.patent || got.String() != c.ucid {
			t.Errorf("ParseUCID(%q) = %s, %s, %v; want %s, %s", c.in, got.PatentID(), got, err, c.patent, c.ucid)
		}
	}
	for _, bad := range []string{"", "EP", "EP-", "EPX-1-A1", "EP-1-A1-2", "PAC-1001"} {
		if got, err := ParseUCID(bad); err == nil {
			t.Errorf("ParseUCID(%q) = %v, want an error", bad, got)
		}
	}
}
