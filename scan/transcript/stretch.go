package transcript

import "bytes"

// lasting is what nearly all lines of a file say again, most often in the same
// bytes.
type lasting struct {
	session, agent, cwd, branch, version string
	sidechain                            bool
}

// add takes over what another stretch of the line says.
func (l *lasting) add(more *lasting) {
	if more.session != "" {
		l.session = more.session
	}
	if more.agent != "" {
		l.agent = more.agent
	}
	if more.cwd != "" {
		l.cwd = more.cwd
	}
	if more.branch != "" {
		l.branch = more.branch
	}
	if more.version != "" {
		l.version = more.version
	}
	l.sidechain = l.sidechain || more.sidechain
}

// stretch is a run of members of an earlier line that say what lasts, with the
// character that ends the last of them.
type stretch struct {
	raw  []byte
	says lasting
}

// habits are what the earlier lines of a file said, so that the next one need
// not be read where it says the same again.
type habits struct {
	lasting
	model     string
	usage     []byte     // as it stands
	stretches [2]stretch // a line has one or two
	older     int        // the one that was learned first

	// The stretch that was stepped over last in this line.
	last         lasting
	began, ended int
}

// isLasting says whether a member says what lasts, or stands among such members
// and says nothing that is wanted.
func isLasting(key []byte) bool {
	switch string(key) {
	case "isSidechain", "agentId", "cwd", "sessionId", "version", "gitBranch", "userType", "entrypoint", "slug":
		return true
	}
	return false
}

// begin is called at the beginning of each line.
func (h *habits) begin() { h.ended = 0 }

// read steps over members that say what lasts, the first of which begins at a
// place behind the value before it and has been stepped to, and adds to a what
// they say.
func (h *habits) read(c *cursor, at int, a *lasting) {
	if h.again(c, at, a) {
		return
	}
	says, end := h.walk(c)
	a.add(&says)
	h.add(&says)
	if end <= at || c.b[end] != ',' && c.b[end] != '}' {
		return
	}
	if at == h.ended { // goes on with the stretch before
		h.last.add(&says)
		at, says = h.began, h.last
	}
	h.last, h.began, h.ended = says, at, end
	s := &h.stretches[h.older]
	s.raw, s.says = append(s.raw[:0], c.b[at:end+1]...), says
	h.older = 1 - h.older
}

// again steps over a stretch that begins at a place and was read before, of two
// over the longer one.
func (h *habits) again(c *cursor, at int, a *lasting) bool {
	one, other := &h.stretches[0], &h.stretches[1]
	if len(one.raw) < len(other.raw) {
		one, other = other, one
	}
	if !one.at(c.b[at:]) {
		if one = other; !one.at(c.b[at:]) {
			return false
		}
	}
	a.add(&one.says)
	c.i = at + len(one.raw) - 1
	h.last, h.began, h.ended = one.says, at, c.i
	return true
}

// at says whether the stretch begins a text.
func (s *stretch) at(text []byte) bool { return len(s.raw) > 0 && bytes.HasPrefix(text, s.raw) }

// readUsage steps over what a message cost, which each of its lines says.
func (h *habits) readUsage(c *cursor) {
	if !c.same(h.usage) {
		h.usage = append(h.usage[:0], c.raw()...)
	}
}

// withoutEnd takes off a line what ends its object and says what lasts.
func (h *habits) withoutEnd(line []byte) []byte {
	for i := range h.stretches {
		if raw := h.stretches[i].raw; len(raw) > 0 && raw[0] == ',' && raw[len(raw)-1] == '}' && bytes.HasSuffix(line, raw) {
			return line[:len(line)-len(raw)]
		}
	}
	return bytes.TrimSuffix(line, []byte{'}'})
}

// walk reads the members that say what lasts, the first of which has been stepped
// to, and returns where they end; 0: nowhere.
func (h *habits) walk(c *cursor) (says lasting, end int) {
	for {
		one := lasting{}
		switch string(c.key) {
		case "sessionId":
			one.session = c.again(h.session)
		case "agentId":
			one.agent = c.again(h.agent)
		case "cwd":
			one.cwd = c.again(h.cwd)
		case "gitBranch":
			one.branch = c.again(h.branch)
		case "version":
			one.version = c.again(h.version)
		case "isSidechain":
			one.sidechain = c.flag()
		default:
			c.skip()
		}
		says.add(&one) // as two stretches of a line add up
		end := c.i
		if !c.member() || !isLasting(c.key) {
			if c.bad {
				return says, 0
			}
			c.i = end
			return says, end
		}
	}
}
