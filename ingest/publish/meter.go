package publish

import "io"

// bombFloor is what an archive may unpack to whatever its size: small files of white space are no attack.
const bombFloor = 16 << 20

// meter compares what has been read of a file with what it has unpacked to, all archives inside it together, however
// deeply they are nested.
type meter struct {
	ratio    float64
	size     int64 // of the file
	read     int64
	unpacked int64
}

// packed counts the bytes that r delivers as read from the file.
func (m *meter) packed(r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		m.read += int64(n)
		return n, err
	})
}

// unpack counts the bytes that r delivers as unpacked, and fails when they are too many.
func (m *meter) unpack(r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		m.unpacked += int64(n)
		// Members that overlap can be read more often than the file is long.
		if m.unpacked > bombFloor && float64(m.unpacked) > m.ratio*float64(min(m.read, m.size)) {
			return 0, failf(classBomb, "the archive unpacks to more than %g times its size (%d bytes from %d): if it is no attack, raise --max-archive-ratio",
				m.ratio, m.unpacked, min(m.read, m.size))
		}
		return n, err
	})
}

// member delivers at most limit bytes of r and then fails.
func member(r io.Reader, limit int64) io.Reader {
	left := limit
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if left -= int64(n); left < 0 {
			return 0, failf(classMember, "unpacks to more than %d bytes: raise --max-member-bytes, or unpack it and publish the result", limit)
		}
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
