package qrels

import (
	"strings"
	"testing"
)

func TestParseLine(t *testing.T) {
	for _, test := range []struct {
		line          string
		topic, patent string
		grade         int32
		form          form
	}{
		{"PAC-7 0 EP-0449433-A2 2", "PAC-7", "EP-0449433", 2, trec},
		{"PAC-7 0 EP-0449433 1", "PAC-7", "EP-0449433", 1, trec},
		{"PAC-7\t0\tEP-449433-A2\t1", "PAC-7", "EP-0449433", 1, trec},
		{"PAC-7 Q0 EP-0449433-A2 0", "PAC-7", "EP-0449433", 0, trec},
		{"PAC-7 0 EP-0449433-A2 2 EN", "PAC-7", "EP-0449433", 2, trec},
		{"EP-1221372-A2\tEP-0229673\t1", "EP-1221372-A2", "EP-0229673", 1, tabs},
		{"EP-1221372-A2\tWO-1981000106\t2\tde", "EP-1221372-A2", "WO-1981000106", 2, tabs},
		{"US-4228795-A US-D0668832-S1 1", "US-4228795-A", "US-D668832", 1, tabs},
		{"  PAC-7   0 EP-0449433-A2   -1 \r", "PAC-7", "EP-0449433", -1, trec},
	} {
		j, form, err := parseLine(test.line)
		if err != nil {
			t.Errorf("%q: %v", test.line, err)
			continue
		}
		if j.topic != test.topic || j.id.PatentID() != test.patent || j.grade != test.grade || form != test.form {
			t.Errorf("%q: got %+v in form %q", test.line, j, form)
		}
	}
}

func TestBadLines(t *testing.T) {
	for line, reason := range map[string]string{
		"PAC-7 EP-0449433-A2":              "2 columns",
		"PAC-7":                            "1 columns",
		"PAC-7 0 EP-0449433-A2 2 EN more":  "6 columns",
		"PAC-7 0 EP-0449433-A2 high":       `grade "high" is not a whole number`,
		"PAC-7 0 EP-0449433-A2 1.5":        `grade "1.5" is not a whole number`,
		"PAC-7 0 EP-0449433-A2 9999999999": `grade "9999999999" is out of range`,
		"PAC-7 0 0449433 1":                `"0449433" is not a document or patent id`,
		"EP-1-A1 EP-2 EP-3 1":              "is no iteration",
		"PAC-7 EP-0449433-A2 1 0.5":        "is no iteration",
		"EP-1\t\t1\t2":                     "is not a document or patent id",
		// A run file: 6 columns.
		"PAC-7 Q0 EP-0734121 1 1314.78 STANDARD": "6 columns",
	} {
		if j, _, err := parseLine(line); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %+v, error %v, want one about %q", line, j, err, reason)
		}
	}
}

func TestImpossibleIDs(t *testing.T) {
	for id, want := range map[string]bool{
		"EP-0744164-B": true, "EP-8212561-A": true, "EP-12345678-A1": true, "EP-0744164-B1": false, "EP-0744164": false,
		"WO-1981000106-A1": false, "WO-81106-A1": true, "US-4228795-A": false, "US-D668832-S": false, "EP-074416X": true,
	} {
		j, _, err := parseLine("t 0 " + id + " 1")
		if err != nil {
			t.Fatal(err)
		}
		if got := isImpossible(j.id); got != want {
			t.Errorf("%s impossible: %v", id, got)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add("PAC-7 0 EP-0449433-A2 2 EN")
	f.Add("EP-1221372-A2\tEP-0229673\t1")
	f.Fuzz(func(t *testing.T, line string) {
		j, form, err := parseLine(line)
		if err == nil && (j.topic == "" || j.id.Number == "" || form == 0) {
			t.Errorf("%q: accepted as %+v", line, j)
		}
	})
}
