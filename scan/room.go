package scan

import (
	"sync"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// firstSteps is how many steps of a file stand in memory that goes from one file to
// the next. Most files have no more.
const firstSteps = windowSize

// room is what the first events of a file take, in memory that is kept from one
// file to the next.
type room struct {
	steps  [firstSteps]Step
	order  [windowSize]*Step
	places [windowSize + slack]transcript.Position
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// window returns an empty window in the room.
func (r *room) window() *Window { return &Window{steps: r.order[:0], room: r.steps[:]} }

// leave forgets the file whose events were pushed into the window.
func (r *room) leave(w *Window) {
	clear(r.steps[:min(w.seq, firstSteps)])
	clear(r.order[:min(w.seq, windowSize)])
	rooms.Put(r)
}
