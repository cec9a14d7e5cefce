package transcript

import (
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// Gemini CLI writes a message again with the same id when it has grown; only what is
// new in it is emitted then. Older versions keep a chat as one object.
var geminiFormat = format{
	id: Gemini, name: "Gemini CLI", tools: tools.Gemini,
	is: func(k keys) bool {
		return k.has("projectHash") || k.has("$set") || k.has("$rewindTo") || k.typ == "gemini" || k.has("startTime", "lastUpdated", "sessionId")
	},
	lies: inFolder("/.gemini/", ""),
	lines: func(r *reader) lineForm {
		g := newGemini(r)
		g.twice = true
		return lineForm{common: geminiLines, step: g.object}
	},
	document: func(r *reader) documentForm {
		g := newGemini(r)
		return documentForm{list: "messages", message: g.message, head: g.head}
	},
	wording: wording{
		elements: func(name string) bool { return name == "session_context" || name == "hook_context" },
		starts: []string{
			"System: Please continue.", "This is the Gemini CLI. We are setting up the context", "<session_context>", "<state_snapshot>",
			"Got it. Thanks for the context!", "[System: ", "System: ",
		},
		between: func(text string) string {
			text, _, _ = strings.Cut(text, "--- Content from referenced files ---")
			return strings.TrimSpace(text)
		},
	},
}

// geminiLines are the objects of the top level: what a chat says about itself, a
// message, or a change to what came before.
var geminiLines = shaped(at{fKind: "type", fBody: "$set", fOrigin: "$rewindTo", fSession: "sessionId", fParts: "messages"})

// geminiMessages are the messages of a chat.
var geminiMessages = table[*gemini]{
	common: shaped(at{fKind: "type", fID: "id", fTime: "timestamp", fText: "content"}),
	kinds: map[string]kind[*gemini]{
		"user":   {(*gemini).asked, shaped(at{fShown: "displayContent"})},
		"gemini": {(*gemini).answers, shaped(at{fParts: "toolCalls"})},
		"info":   {does: (*gemini).info},
		"error":  {}, "warning": {}, "about": {}, "help": {}, "stats": {}, "quit": {}, "compression": {},
	},
}

// geminiCall is a call with its end.
var geminiCall = shaped(at{
	fCall: "id", fTool: "name", fInput: "args", fOutput: "result", fStatus: "status", fTime: "timestamp", fShown: "resultDisplay",
})

// gemini is one chat being read.
type gemini struct {
	*reader
	parent   string // session whose folder a sub-agent's chat lies in
	chat     string // id of the chat
	subAgent bool
	twice    bool   // messages are written again when they have grown
	written  Dedupe // messages and calls that came before; what else they said may differ
}

func newGemini(r *reader) *gemini {
	g := &gemini{reader: r}
	dir := path.Dir(strings.ReplaceAll(r.opts.Name, `\`, "/"))
	if path.Base(path.Dir(dir)) == "chats" {
		g.parent = path.Base(dir)
	}
	return g
}

func (g *gemini) object(v value, o *object) {
	switch {
	case o[fBody].present():
		o[fBody].get("messages").each(g.message)
	case o[fOrigin].present(): // what was said stays said
	case o[fKind].first() == '"':
		g.message(v)
	case o[fSession].first() == '"':
		v.members(g.head)
		o[fParts].each(g.message)
	default:
		g.stats.Unknown++
	}
}

// head reads what a chat says about itself.
func (g *gemini) head(key string, v value) {
	switch key {
	case "sessionId":
		g.chat = v.text()
	case "kind":
		g.subAgent = v.text() == "subagent"
	case "startTime":
		g.time = v.stamp()
		return
	default:
		return
	}
	switch {
	case g.chat == "":
	case g.subAgent || g.parent != "" && g.parent != g.chat:
		session := g.parent
		first(&session, g.chat)
		g.session, g.agent = "", ""
		g.about(session, g.chat, "", "", "")
	default:
		g.about(g.chat, "", "", "", "")
	}
}

func (g *gemini) message(v value) {
	o := geminiMessages.common.of(v)
	g.id, g.time = o[fID].text(), o[fTime].stamp()
	if !geminiMessages.step(g, v, o) {
		g.stats.Unknown++
	}
}

// new says whether a message or a call comes for the first time, and remembers it.
func (g *gemini) new(kind EventKind, id string) bool {
	return !g.twice || g.written.First(Event{Kind: kind, ID: id})
}

// asked emits what the person typed. The content shown to the person is that, where
// the client keeps it; the other holds the files that they named too.
func (g *gemini) asked(o *object) {
	content := o[fText]
	if o[fShown].present() {
		content = o[fShown]
	}
	if content.first() != '[' {
		content = value("[" + string(content) + "]")
	}
	var all, words []string
	content.each(func(part value) {
		text := part.parts()
		if text != "" {
			all = append(all, text)
		}
		if w := g.form.wording.words(text); w != "" {
			words = append(words, w)
		}
	})
	switch {
	case len(all) == 0 || !g.new(User, g.id):
	case len(words) > 0:
		g.wrote(strings.Join(words, "\n"))
	default:
		g.stats.Machine++
		if strings.HasPrefix(strings.TrimSpace(all[0]), "<state_snapshot>") {
			g.compacted(o)
		}
	}
}

// answers reads what the agent says, without what it only thought, and its calls.
func (g *gemini) answers(o *object) {
	if text := spoken(o[fText]); strings.TrimSpace(text) != "" && g.new(Assistant, g.id) {
		g.says(text)
	}
	o[fParts].each(g.call)
}

func spoken(content value) string {
	if content.first() != '[' {
		return content.parts()
	}
	var all []string
	content.each(func(part value) {
		f := part.pick("text", "thought")
		if text := f[0].text() + part.text(); text != "" && !f[1].flag() {
			all = append(all, text)
		}
	})
	return strings.Join(all, "\n")
}

// info reads what the client tells the person.
func (g *gemini) info(o *object) {
	text := spoken(o[fText])
	switch {
	case !g.new(Interrupt, g.id):
	case strings.HasPrefix(text, "Request cancelled"), strings.HasPrefix(text, "User cancelled the request"):
		g.interrupted(o)
	case strings.HasPrefix(text, "Chat history compressed"), strings.Contains(text, "compressed from"):
		g.compacted(o)
	}
}

// call emits a call, and its end once that is known.
func (g *gemini) call(v value) {
	if v.first() != '{' {
		return
	}
	o := geminiCall.of(v)
	id, tool, status, shown := o[fCall].text(), o[fTool].text(), o[fStatus].text(), o[fShown].text()
	if g.new(ToolCall, id) {
		g.called(id, tool, o[fInput])
	}
	if status != "success" && status != "error" && status != "cancelled" || !g.new(ToolResult, id) {
		return
	}
	shell := g.form.tools[tool] == "Bash"
	end := geminiEnd(shell, status, answerOf(id, o[fOutput], shown))
	if n, ok := statusLine(shown, "Command exited with code: "); shell && ok && end.exit == 0 && end.outcome == Unsaid {
		end.exit = n // the answer is a summary
	}
	if strings.HasPrefix(shown, "Tool result blocked") {
		end.outcome = Blocked // a hook's words stand in place of the answer
	}
	end.time = o[fTime].stamp()
	g.result(id, end)
}

// answerOf returns what the model was told of a call's end. Beside it may stand
// the ends of other calls of the same turn.
func answerOf(id string, result value, shown string) string {
	if result.first() != '[' {
		result = value("[" + string(result) + "]")
	}
	var all []string
	result.each(func(r value) {
		f := r.get("functionResponse").pick("id", "response")
		if other := f[0].text(); other != "" && other != id {
			return
		}
		response := f[1].pick("output", "error")
		for _, v := range append(response, r) {
			if s := v.parts(); s != "" {
				all = append(all, s)
				return
			}
		}
	})
	if len(all) == 0 {
		return shown
	}
	return strings.Join(all, "\n")
}
