package transcript

import "strings"

// idStore decodes ids, which are short and many, into blocks of memory that they
// share.
type idStore struct{ block strings.Builder }

// idBlock is the size of a block in bytes: what one id that is kept keeps with it.
const idBlock = 2 << 10

// text is unquote for an id.
func (s *idStore) text(raw []byte) string {
	if len(raw) == 0 || len(raw) > idBlock/8 || !asIs(raw) {
		return unquote(raw)
	}
	if s.block.Len()+len(raw) > s.block.Cap() {
		s.block = strings.Builder{}
		s.block.Grow(idBlock)
	}
	from := s.block.Len()
	s.block.Write(raw)
	return s.block.String()[from:]
}
