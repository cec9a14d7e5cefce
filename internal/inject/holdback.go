package inject

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
)

// guards holds back what the guards among the lessons do not let pass.
func (in Input) guards() (d Decision) {
	if in.At != AtCall && in.At != AtStop && in.At != AtSubagentStop {
		return d
	}
	var texts []string
	redirect, moved := "", Lesson{}
	command, corrected := "", Lesson{}
	for _, l := range in.Found {
		if !in.blocks(in.acts(l)) {
			continue
		}
		h := in.judge(l)
		switch {
		case h.verdict == Pass && h.command != "":
			command, corrected = h.command, l
			continue
		case h.verdict == Pass && h.redirect == "":
			continue
		case in.Session.allowed(l.ID):
			_ = in.Session.Note(Trace{At: in.Now, Act: ActAllowed, Tool: in.Tool, Lesson: l.ID})
			continue
		case h.redirect != "" && h.verdict == Pass:
			redirect, moved = h.redirect, l
			continue
		case in.stopping() && !in.mayHold(l):
			continue
		}
		in.Session.hold(l.ID)
		_ = in.Session.Note(Trace{At: in.Now, Act: ActBlocked, Tool: in.Tool, Lesson: l.ID})
		if d.Verdict != Deny {
			d.Verdict = h.verdict
		}
		if text := l.said(h); len(texts) == 0 || len(strings.Join(texts, "\n"))+len(text) < in.Settings.BudgetBytes {
			texts = append(texts, text)
			d.Injected = append(d.Injected, l.ID)
		}
	}
	if d.Verdict != Pass {
		d.Reason = in.reason(mark, texts, d.Injected)
		return d
	}
	if command != "" {
		d.Args = replaceText(in.Args, commandKey, command)
		d.Injected = []string{corrected.ID}
		if in.Can.TellModel {
			d.Context = in.reason(in.head(1), []string{corrected.Text + "\nThe command was changed to: " + strings.Join(strings.Fields(command), " ")}, d.Injected)
		}
		return d
	}
	if redirect != "" {
		d.Args = replaceText(in.Args, in.PathKey, in.rooted(redirect))
		d.Injected = []string{moved.ID}
		if in.Can.TellModel {
			d.Context = in.reason(in.head(1), []string{moved.Text + "\nThe file goes to " + redirect + " instead."}, d.Injected)
		}
	}
	return d
}

// rooted is a path as a tool call names it.
func (in Input) rooted(p string) string {
	if isAbs(p) || in.Root == "" {
		return p
	}
	return filepath.Join(in.Root, filepath.FromSlash(p))
}

func (in Input) stopping() bool { return in.At == AtStop || in.At == AtSubagentStop }

// mayHold: a stop is held once, and in a session not more than twice.
func (in Input) mayHold(l Lesson) bool {
	if !in.Can.HoldStop || in.Again {
		return false
	}
	won, err := in.Session.ClaimHold(l.ID)
	return won && err == nil
}

// judgement is what one guard says: a verdict with its reasons, or where the file
// goes instead.
type judgement struct {
	verdict  Verdict
	instead  string // what to do, in a sentence
	why      string
	redirect string
	command  string // instead of the call's own
}

func (in Input) judge(l Lesson) judgement {
	g, err := DecodeGuard(l.Extra)
	if err != nil || !g.Holds(in.At) {
		return judgement{}
	}
	if l.Action == actionRewrite && g.Replace != nil {
		return judgement{command: in.corrected(g)}
	}
	verdict := in.strongest(l.Action)
	if verdict == Pass {
		return judgement{}
	}
	f := g.Check(in.Session, in.subject(), in.Facts)
	h := judgement{verdict: verdict, instead: g.Suggest, why: strings.Join(f.Missing, "; ")}
	switch {
	case g.Empty():
	case len(f.Missing) > 0:
	case f.Unsure != nil:
		h.verdict, h.why = in.onError(g), f.Unsure.Error()
	case f.Redirect != "" && in.Can.ChangeInput && len(in.Paths) == 1 && replaceText(in.Args, in.PathKey, f.Redirect) != nil:
		return judgement{redirect: f.Redirect}
	case f.Redirect != "":
		h.instead = strings.TrimSpace("Use " + f.Redirect + " instead. " + g.Suggest)
	default:
		return judgement{}
	}
	return h
}

// strongest is the verdict of an action that the agent can do: who cannot ask
// denies.
func (in Input) strongest(action string) Verdict {
	switch {
	case in.stopping():
		return Block
	case action == actionAsk && in.Can.AskPerson:
		return Ask
	case in.Can.DenyCall:
		return Deny
	case in.Can.AskPerson:
		return Ask
	}
	return Pass
}

func (in Input) onError(g Guard) Verdict {
	switch g.OnError {
	case OnErrorAsk:
		return in.strongest(actionAsk)
	case OnErrorDeny:
		return in.strongest(actionDeny)
	}
	return Pass
}

// said is a guard's reason: what to do, what is missing, and the lesson's text, which is there
// in whole or not at all.
func (l *Lesson) said(h judgement) string {
	text := l.Text
	if text == "" || len(text) > 1000 {
		text = l.Summary
	}
	if h.instead == "" && h.why == "" {
		text = l.instead(text)
	}
	var lines []string
	if h.instead != "" {
		lines = append(lines, h.instead)
	}
	if h.why != "" {
		lines = append(lines, "Missing: "+h.why+".")
	}
	return strings.Join(append(lines, text, "A person can let it pass: lessons allow "+l.ID), "\n")
}

func (in Input) reason(head string, texts, ids []string) string {
	for n := len(texts); n > 0; n-- {
		if text := head + strings.Join(texts[:n], "\n"); len(text) <= in.MaxBytes {
			return text
		}
	}
	return mark + "held back by " + ids[0]
}

// replaceText returns a JSON object with the text of one of its keys replaced,
// nil when it has no such text exactly once. Everything else keeps its bytes.
func replaceText(object json.RawMessage, key, text string) json.RawMessage {
	if key == "" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	from, to := -1, -1
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil
		}
		if name != key {
			continue
		}
		if from >= 0 || len(value) == 0 || value[0] != '"' {
			return nil
		}
		to = int(dec.InputOffset())
		from = to - len(value)
	}
	if _, err := dec.Token(); err != nil || from < 0 {
		return nil
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil
	}
	out := append([]byte{}, object[:from]...)
	return append(append(out, quoted...), object[to:]...)
}
