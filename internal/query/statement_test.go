package query

import "testing"

func TestSingle(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT 1":                           "SELECT 1",
		"SELECT 1;":                          "SELECT 1",
		" SELECT 1 ; -- that's all; really":  " SELECT 1 ",
		"SELECT 1;; /* ; */ ;\n":             "SELECT 1",
		"SELECT ';', \"a;b\", 'it''s;'":      "SELECT ';', \"a;b\", 'it''s;'",
		"SELECT 1 -- a; b\n, 2;":             "SELECT 1 -- a; b\n, 2",
		"SELECT /* ; */ 1;":                  "SELECT /* ; */ 1",
		"SELECT $$ ; $$, $tag$ ; $$ ; $tag$": "SELECT $$ ; $$, $tag$ ; $$ ; $tag$",
		"SELECT $1;":                         "SELECT $1",
		"SELECT 'open;":                      "SELECT 'open;",
	} {
		if got, err := single(sql); err != nil || got != want {
			t.Errorf("%q: %q, %v", sql, got, err)
		}
	}
	for _, sql := range []string{"SELECT 1; SELECT 2", "SELECT 1;'x'", "ATTACH 'a'; SELECT ';'", "SELECT $a; SELECT $a"} {
		if got, err := single(sql); err == nil {
			t.Errorf("%q was taken for one statement: %q", sql, got)
		}
	}
}

func FuzzSingle(f *testing.F) {
	f.Add("SELECT 1; -- done")
	f.Add("SELECT $a$ ; $a$; SELECT '")
	f.Fuzz(func(t *testing.T, sql string) {
		got, err := single(sql)
		if err != nil {
			return
		}
		if again, err := single(got); err != nil || again != got {
			t.Errorf("%q became %q, then %q, %v", sql, got, again, err)
		}
	})
}
