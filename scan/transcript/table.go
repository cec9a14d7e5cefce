package transcript

import "strings"

// An agent's format is a table: which kinds of objects its files hold, where each
// kind keeps its fields, and what it means. What the agents have in common is in
// [reader]; only what is different about an agent is a function in its own file.

// field is one thing that agents say about a step, wherever they keep it.
type field uint8

const (
	fKind        field = iota // which kind of object it is
	fBody                     // the object inside that holds the rest
	fTime                     // when it happened
	fEnd                      // when it ended
	fID                       // of the message
	fSession                  // id of the session
	fParent                   // session or call that a sub-agent belongs to
	fOrigin                   // session that this one is a copy of
	fAgent                    // id of the sub-agent
	fCwd                      // working directory
	fBranch                   // git branch
	fVersion                  // of the agent
	fRole                     // in whose place a message stands
	fSource                   // who wrote it
	fMachine                  // a program wrote it
	fHidden                   // it is not shown to the person
	fSummary                  // it sums up what came before
	fModel                    // that answered
	fText                     // of a message, a question or a remark
	fShown                    // the same as the person sees it
	fParts                    // the parts of a message
	fPlan                     // of the agent, that the person accepted
	fCall                     // id of a call
	fTool                     // name of a tool
	fServer                   // that offers the tool
	fInput                    // of a call
	fOutput                   // of a call
	fResult                   // more about a call's end
	fInterrupted              // a person or a time-out ended the call
	fBackground               // id of a command that goes on in the background
	fMeaning                  // what the status of a command means
	fErrors                   // what a command wrote as its errors
	fExit                     // status of a command
	fStatus                   // the agent's word for how it ended, or for what is done
	fFailed                   // it is an error
	fOK                       // it is none
	fError                    // the words of the error
	fCode                     // the name of the error, or of the client's own event
	fields                    // how many there are
)

// object is what was read of one object, by field.
type object [fields]value

// name returns a text that is compared and not kept.
func (o *object) name(f field) string { return string(o[f].quoted()) }

// at says where an object keeps its fields: keys, with dots between those of nested
// objects.
type at map[field]string

// shape is such paths as a tree, by which an object is read in one walk.
type shape struct {
	keys  []string // of what is below: few, and so found sooner than in a map
	below []*shape
	here  bool // there is a field here
	field field
}

// under returns the shape below a key, or nil.
func (s *shape) under(key []byte) *shape {
	for i, known := range s.keys {
		if known == string(key) {
			return s.below[i]
		}
	}
	return nil
}

// shaped makes a tree of paths.
func shaped(paths at) *shape {
	root := &shape{}
	for f, path := range paths {
		s := root
		for key := range strings.SplitSeq(path, ".") {
			next := s.under([]byte(key))
			if next == nil {
				next = &shape{}
				s.keys, s.below = append(s.keys, key), append(s.below, next)
			}
			s = next
		}
		s.here, s.field = true, f
	}
	return root
}

// read steps over the object at the cursor and notes its fields. What came before
// damage is kept.
func (s *shape) read(c *cursor, o *object) {
	for c.enter('{'); c.member(); {
		next := s.under(c.key)
		if c.peek() == '{' && next != nil && len(next.below) > 0 {
			from := c.i
			next.read(c, o)
			next.note(o, c.b[from:c.i])
		} else if v := c.value(); next != nil {
			next.note(o, v)
		}
	}
}

// note notes the field that an object keeps here, if it keeps one.
func (s *shape) note(o *object, v value) {
	if s.here {
		o[s.field] = v
	}
}

// of reads the fields of a value, if it is an object.
func (s *shape) of(v value) *object {
	o := &object{}
	if v.first() == '{' {
		s.read(&cursor{b: v}, o)
	}
	return o
}

// table describes objects that say of which kind they are. A is who reads them.
type table[A any] struct {
	common *shape // the kind, and what all kinds share
	kinds  map[string]kind[A]
}

// kind is one kind of object.
type kind[A any] struct {
	does func(A, *object) // nil: it says nothing that is wanted
	at   *shape           // the fields of this kind, in the object's body if it has one
}

// read reads a value, which may be none of these objects, and does what its kind
// means. It says whether the kind is known.
func (t *table[A]) read(a A, v value) bool { return t.step(a, v, t.common.of(v)) }

// step goes on where the common fields of v have been read.
func (t *table[A]) step(a A, v value, o *object) bool {
	k, known := t.kinds[o.name(fKind)]
	if k.at != nil {
		if o[fBody].first() == '{' {
			v = o[fBody]
		}
		k.at.read(&cursor{b: v}, o)
	}
	if k.does != nil {
		k.does(a, o)
	}
	return known
}

// parts reads a message's content: a text, or a list of parts, one after the other into
// an object that is nobody's.
func (t *table[A]) parts(a A, o *object, content value, text func(string)) {
	if content.first() == '"' {
		text(content.text())
	}
	c := cursor{b: content}
	if c.peek() != '[' {
		return
	}
	for c.enter('['); c.element(); {
		t.part(a, o, &c)
	}
}

// part reads the value at the cursor as [table.read] does, and steps over it.
func (t *table[A]) part(a A, o *object, c *cursor) {
	c.peek()
	*o = object{}
	inside := *c
	if c.peek() == '{' {
		t.common.read(&inside, o)
	}
	if inside.i == c.i || inside.bad {
		inside = *c
		inside.skip()
	}
	v := value(c.b[c.i:inside.i])
	*c = inside
	t.step(a, v, o)
}
