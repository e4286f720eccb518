package wordpiece

// trie finds the longest token that starts at a byte. It is an array of states; a state's children lie at base+byte
// when their check names it (a double array), so that a step is two loads.
type trie struct {
	base, check []int32
	token       []int32 // of the state's own path, -1 for none
	free        int     // no free cell lies before this one
}

type branch struct {
	next  map[byte]*branch
	order []byte
	token int32
}

func newBranch() *branch { return &branch{next: map[byte]*branch{}, token: -1} }

func (b *branch) put(key string, token int32) {
	for i := range len(key) {
		c := b.next[key[i]]
		if c == nil {
			c = newBranch()
			b.next[key[i]] = c
			b.order = append(b.order, key[i])
		}
		b = c
	}
	b.token = token
}

// newTrie lays tokens out. Keys must not be empty.
func newTrie(tokens map[string]int32) *trie {
	root := newBranch()
	for key, token := range tokens {
		root.put(key, token)
	}
	t := &trie{free: 1}
	t.grow(512)
	t.check[0] = 0
	t.lay(root, 0)
	return t
}

func (t *trie) grow(n int) {
	for len(t.check) < n {
		t.base = append(t.base, 0)
		t.check = append(t.check, -1)
		t.token = append(t.token, -1)
	}
}

func (t *trie) lay(b *branch, state int32) {
	t.token[state] = b.token
	if len(b.order) == 0 {
		t.base[state] = int32(len(t.check)) // no cell there names this state
		return
	}
	base := t.fit(b.order)
	t.base[state] = base
	for _, c := range b.order {
		t.check[base+int32(c)] = state
	}
	for _, c := range b.order {
		t.lay(b.next[c], base+int32(c))
	}
}

// fit finds a base at which all children fall on free cells.
func (t *trie) fit(children []byte) int32 {
	for t.free < len(t.check) && t.check[t.free] >= 0 {
		t.free++
	}
	for base := max(1, t.free-int(children[0])); ; base++ {
		t.grow(base + 256)
		if t.free+4096 < base {
			t.free++ // a crowded stretch: do not search it for ever
		}
		ok := true
		for _, c := range children {
			if t.check[base+int(c)] >= 0 {
				ok = false
				break
			}
		}
		if ok {
			return int32(base)
		}
	}
}

// longest is the token of the longest prefix of s that is one, and its length; -1 when none is.
func (t *trie) longest(s []byte) (token int32, length int) {
	token = -1
	state := int32(0)
	for i, c := range s {
		next := t.base[state] + int32(c)
		if int(next) >= len(t.check) || t.check[next] != state {
			break
		}
		state = next
		if t.token[state] >= 0 {
			token, length = t.token[state], i+1
		}
	}
	return token, length
}
