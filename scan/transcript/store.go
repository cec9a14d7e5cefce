package transcript

import (
	"bytes"
	"strings"
)

// store keeps ids and inputs of calls, which are short and many, in blocks of
// memory that they share.
type store struct {
	ids    strings.Builder
	inputs []byte
}

// storeBlock is the size of a block in bytes: what keeps a part of it keeps all.
const storeBlock = 4 << 10

// text is unquote for an id.
func (s *store) text(raw []byte) string {
	if len(raw) == 0 || len(raw) > storeBlock/16 || !asIs(raw) {
		return unquote(raw)
	}
	if s.ids.Len()+len(raw) > s.ids.Cap() {
		s.ids = strings.Builder{}
		s.ids.Grow(storeBlock)
	}
	from := s.ids.Len()
	s.ids.Write(raw)
	return s.ids.String()[from:]
}

// clone is bytes.Clone for an input.
func (s *store) clone(raw []byte) []byte {
	if len(raw) == 0 || len(raw) > storeBlock/4 {
		return bytes.Clone(raw)
	}
	if len(s.inputs)+len(raw) > cap(s.inputs) {
		s.inputs = make([]byte, 0, storeBlock)
	}
	from := len(s.inputs)
	s.inputs = append(s.inputs, raw...)
	return s.inputs[from:len(s.inputs):len(s.inputs)]
}
