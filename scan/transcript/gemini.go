package transcript

import (
	"errors"
	"io"
	"path"
	"strings"
)

// ReadGemini reads a chat of Gemini CLI that is kept as lines, on the terms of
// [ReadClaude], but from its beginning: a message is written again with the same
// id when it has grown, and only what is new in it is emitted then.
func ReadGemini(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	g := newGemini(opts, emit)
	err := g.lines(r, opts, g.record)
	return g.stats, err
}

// ReadGeminiObject reads a chat that is kept as one object, as older versions
// do. Event.Line is the index of the message, from 0.
func ReadGeminiObject(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	g := newGemini(opts, emit)
	g.twice = false
	err := g.object(r, opts, g.head, g.message)
	if errors.Is(err, errNoMessages) {
		err = nil // nothing was said yet
	}
	return g.stats, err
}

// gemini is one chat being read.
type gemini struct {
	*feed
	parent  string           // session whose folder a sub-agent's chat lies in
	written Dedupe           // messages and calls that came before; what else they said may differ
	twice   bool             // messages are written again when they have grown
	top     map[string]value // members of the object before its messages
}

func newGemini(opts Options, emit func(Event) error) *gemini {
	g := &gemini{feed: newFeed(opts, emit), twice: true, top: map[string]value{}}
	g.words = geminiWords
	dir := path.Dir(strings.ReplaceAll(opts.Name, `\`, "/"))
	if path.Base(path.Dir(dir)) == "chats" {
		g.parent = path.Base(dir)
	}
	return g
}

// record reads one line: what the chat says about itself, a message, or a change
// to what came before.
func (g *gemini) record(v value) {
	f := v.pick("type", "$set", "$rewindTo", "sessionId", "messages")
	switch {
	case f[1].present():
		f[1].get("messages").each(func(m value) { g.message(m) })
	case f[2].present(): // what was said stays said
	case f[0].first() == '"':
		g.message(v)
	case f[3].first() == '"':
		v.keys(func(key string, member value) { g.head(key, member) })
		f[4].each(func(m value) { g.message(m) })
	default:
		g.stats.Unknown++
	}
}

// head reads what a chat says about itself.
func (g *gemini) head(key string, v value) {
	switch key {
	case "sessionId", "kind":
		g.top[key] = append(value(nil), v...)
	case "startTime":
		g.time = v.stamp()
		return
	default:
		return
	}
	id := g.top["sessionId"].text()
	if id == "" {
		return
	}
	if g.top["kind"].text() == "subagent" || g.parent != "" && g.parent != id {
		session := g.parent
		if session == "" {
			session = id
		}
		g.session, g.agent = "", ""
		g.about(session, id, "", "", "")
		return
	}
	g.about(id, "", "", "", "")
}

func (g *gemini) message(m value) {
	f := m.pick("id", "timestamp", "type", "content", "displayContent", "toolCalls")
	g.id = f[0].text()
	g.time = f[1].stamp()
	switch f[2].text() {
	case "user":
		if all := texts(f[3], f[4]); len(all) > 0 && g.new(User, g.id) {
			g.asked(all)
		}
	case "gemini":
		if text := spoken(f[3]); strings.TrimSpace(text) != "" && g.new(Assistant, g.id) {
			g.send(Event{Kind: Assistant, Text: text})
		}
		f[5].each(g.called)
	case "info":
		if g.new(Interrupt, g.id) {
			g.info(spoken(f[3]))
		}
	case "error", "warning", "about", "help", "stats", "quit", "compression":
	default:
		g.stats.Unknown++
	}
}

// new says whether a message or a call comes for the first time, and remembers
// it.
func (g *gemini) new(kind EventKind, id string) bool {
	return !g.twice || g.written.First(Event{Kind: kind, ID: id})
}

// spoken joins the texts of a message, without what the model only thought.
func spoken(content value) string {
	if content.first() != '[' {
		return content.parts()
	}
	var all []string
	content.each(func(part value) {
		f := part.pick("text", "thought")
		if s := f[0].text(); s != "" && !f[1].flag() {
			all = append(all, s)
		}
		if part.first() == '"' {
			all = append(all, part.text())
		}
	})
	return strings.Join(all, "\n")
}

// texts are the texts of a user's message. The content shown to the person is
// what they typed, where the client keeps it; the other holds the files that
// they named too.
func texts(content, shown value) []string {
	if shown.present() {
		content = shown
	}
	if content.first() != '[' {
		content = value("[" + string(content) + "]")
	}
	var all []string
	content.each(func(part value) {
		if text := part.parts(); text != "" {
			all = append(all, text)
		}
	})
	return all
}

// asked emits what the person typed.
func (g *gemini) asked(all []string) {
	var said []string
	for _, text := range all {
		if s := geminiWords(text); s != "" {
			said = append(said, s)
		}
	}
	switch {
	case len(said) > 0:
		g.user(strings.Join(said, "\n"))
	case strings.HasPrefix(strings.TrimSpace(all[0]), "<state_snapshot>"):
		g.stats.Machine++
		g.send(Event{Kind: Compaction})
	default:
		g.stats.Machine++
	}
}

// info reads what the client tells the person.
func (g *gemini) info(text string) {
	switch {
	case strings.HasPrefix(text, "Request cancelled"), strings.HasPrefix(text, "User cancelled the request"):
		g.send(Event{Kind: Interrupt})
	case strings.HasPrefix(text, "Chat history compressed"), strings.Contains(text, "compressed from"):
		g.send(Event{Kind: Compaction})
	}
}

// called emits a call, and its end once that is known.
func (g *gemini) called(call value) {
	if call.first() != '{' {
		return
	}
	f := call.pick("id", "name", "args", "result", "status", "timestamp", "resultDisplay")
	id, status := f[0].text(), f[4].text()
	if g.new(ToolCall, id) {
		g.call(id, f[1].text(), f[2])
	}
	ended := status == "success" || status == "error" || status == "cancelled"
	if !ended || !g.new(ToolResult, id) {
		return
	}
	shell := tools[f[1].text()] == "Bash"
	end := geminiEnd(shell, status, answerOf(id, f[3], f[6]))
	if n, ok := statusLine(f[6].text(), "Command exited with code: "); shell && ok && end.exit == 0 && end.outcome == Unsaid {
		end.exit = n // the answer is a summary
	}
	if strings.HasPrefix(f[6].text(), "Tool result blocked") {
		end.outcome = Blocked // a hook's words stand in place of the answer
	}
	end.time = f[5].stamp()
	g.result(id, end)
}

// answerOf returns what the model was told of a call's end. Beside it may stand
// the ends of other calls of the same turn.
func answerOf(id string, result, shown value) string {
	var all []string
	add := func(r value) {
		f := r.get("functionResponse")
		if other := f.get("id").text(); other != "" && other != id {
			return
		}
		response := f.get("response").pick("output", "error")
		for _, v := range response {
			if s := v.parts(); s != "" {
				all = append(all, s)
				return
			}
		}
		if s := r.parts(); s != "" {
			all = append(all, s)
		}
	}
	if result.first() == '[' {
		result.each(add)
	} else {
		add(result)
	}
	if len(all) == 0 {
		return shown.text()
	}
	return strings.Join(all, "\n")
}

// geminiStarts are beginnings of texts that Gemini CLI writes in a user's place.
var geminiStarts = []string{
	"System: Please continue.", "This is the Gemini CLI. We are setting up the context", "<session_context>", "<state_snapshot>",
	"Got it. Thanks for the context!", "[System: ", "System: ",
}

// geminiWords returns what a person wrote in a text in a user's place.
func geminiWords(text string) string {
	text, _, _ = strings.Cut(text, "--- Content from referenced files ---")
	for {
		rest, ok := withoutElement(strings.TrimSpace(text), func(name string) bool { return name == "session_context" || name == "hook_context" })
		if !ok {
			break
		}
		text = rest
	}
	text = strings.TrimSpace(text)
	for _, s := range geminiStarts {
		if strings.HasPrefix(text, s) {
			return ""
		}
	}
	return Words(text)
}
