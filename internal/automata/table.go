package automata

// table says where states lead with the classes of characters: a column of each
// class, and in it an entry of each state. So a state's number is all that must be
// known to find the next, and the entries are small, to stay in caches.
type table struct {
	next    []uint16
	room    int // states that a column has room for
	columns int
	limit   int // of the entries
}

// What a table says besides a state: from firstHit down to lastHit the number of
// a hit. The numbers of states are between those and unknown, of which new memory
// consists.
const (
	unknown    uint16 = 0
	firstState uint16 = 1
	dead       uint16 = 1<<16 - 1
	firstHit          = dead - 1
	lastHit           = firstHit - maxHits + 1
)

// maxTable bounds the memory of a table, in entries, and maxHits the hits. A full
// one is begun anew.
const (
	maxTable = 1 << 17
	maxHits  = 1 << 14
)

func newTable(columns int) table {
	t := table{columns: columns, limit: maxTable}
	t.grow()
	return t
}

// full says whether there is no room for another state, and none can be made.
func (t *table) full(states int) bool { return t.columns*(states+1) > t.limit }

// grow makes room for as many states again and some more, as far as it may: columns
// whose length is a power of two would share a few lines of the caches.
func (t *table) grow() {
	room := min(2*t.room+32, t.limit/t.columns)
	next := make([]uint16, t.columns*room)
	for c := range t.columns {
		copy(next[c*room:], t.next[c*t.room:][:t.room])
	}
	t.next, t.room = next, room
}

// forget empties the table.
func (t *table) forget() { clear(t.next) }

// follow goes on from a place of the text in a state as long as the table knows the
// next state and the text is ASCII: of other bytes, the column knows none. It returns
// where it stopped, and what the table says there. All texts come by here: a function
// of its own keeps what it needs in registers.
//
//go:noinline
func (t *table) follow(class *[256]uint8, s string, i int, state uint16) (at int, in, to uint16) {
	next, room, n := t.next, t.room, int(state)
	_ = class[0]
	for i < len(s) {
		to := int(next[int(class[s[i]])*room:][n]) // only this depends on the byte before
		if uint(to-1) >= uint(lastHit-1) {         // or unknown
			return i, uint16(n), uint16(to)
		}
		i, n = i+1, to
	}
	return i, uint16(n), unknown
}
