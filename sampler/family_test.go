package sampler

import "testing"

func TestFamilyOf(t *testing.T) {
	ids := []string{"237818275", "0237818275", "+5", "-5", "5", "9223372036854775807", "9223372036854775808", "WO-family", "18446744073709551615"}
	seen := map[family]string{noFamily: "none"}
	for _, id := range ids {
		f := familyOf(id)
		if other, ok := seen[f]; ok {
			t.Errorf("families %q and %q are one", id, other)
		}
		if seen[f] = id; f != familyOf(id) {
			t.Errorf("family %q is not itself", id)
		}
	}
	if familyOf("5") != 5 || familyOf("") != noFamily {
		t.Error("a decimal family is its number, an absent one none")
	}
}
