package schemas

import "time"

// Date is a calendar day, stored as Parquet DATE: days since 1970-01-01.
type Date int32

// DateOf returns the day of t in UTC.
func DateOf(t time.Time) Date { return Date(floorDiv(t.Unix(), 86400)) }

// ParseDate reads YYYYMMDD as patent offices write it. It returns nil for what names no calendar day: "20000600",
// "19000100", "0", "". Such values stay readable in the raw column beside the date.
func ParseDate(raw string) *Date {
	if len(raw) != 8 {
		return nil
	}
	t, err := time.Parse("20060102", raw)
	if err != nil {
		return nil
	}
	d := DateOf(t)
	return &d
}

// String formats d as YYYY-MM-DD.
func (d Date) String() string { return time.Unix(int64(d)*86400, 0).UTC().Format(time.DateOnly) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
