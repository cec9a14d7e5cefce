package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// expect checks what a line "expect …" says of a moment after the last session.
func (p *player) expect(l *caseLine, what string) {
	word, rest, _ := strings.Cut(what, " ")
	switch {
	case what == "stop", what == "pass", what == "told", what == "silent", what == "mention", what == "told after failure", what == "silent after failure":
		p.probe(l, what)
	case what == "at start":
		p.check(l, reply{context: p.begin(true).told})
	case word == "problem", word == "no" && strings.HasPrefix(rest, "problem"), word == "one":
		p.problem(l, what)
	case word == "knowledge":
		p.check(l, reply{context: p.tree(".memory")})
	case word == "lessons":
		p.check(l, reply{context: p.tree(".lessons")})
	case what == "draft", what == "proposed", what == "accepted", what == "nothing":
		p.written(l, what)
	default:
		p.t.Fatalf("line %d: what is %q?", l.number, l.text)
	}
}

// probe makes each call below in a session of its own, which no scan ever reads.
// "mention" leaves open whether the call is stopped or only commented on; after a
// failure counts what was said until then, too.
func (p *player) probe(l *caseLine, what string) {
	dir := ""
	for _, c := range l.below {
		if to, ok := strings.CutPrefix(c.text, "cd "); ok {
			dir = to
			continue
		}
		s := p.begin(true)
		s.cwd = filepath.Join(p.at.dir, dir)
		tool, input := s.parse(c)
		checks, shown := c.split()
		payload := func() map[string]any {
			return map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"}
		}
		r := s.send("PreToolUse", payload())
		if strings.HasSuffix(what, "after failure") {
			after := payload()
			after["error"], after["is_interrupt"] = ending(tool, input, shown).text, false
			r.context = r.text() + s.send("PostToolUseFailure", after).context
			r.stopped = false // the agent made it again
		}
		said := strings.TrimSpace(r.context) != ""
		switch {
		case what == "stop" && !r.stopped:
			p.fail(c, "not stopped; told %q", r.context)
		case what == "mention" && !r.stopped && !said:
			p.fail(c, "nothing is said")
		case what != "stop" && what != "mention" && r.stopped:
			p.fail(c, "stopped: %s", r.reason)
		case strings.HasPrefix(what, "told") && !said:
			p.fail(c, "nothing is told")
		case strings.HasPrefix(what, "silent") && said:
			p.fail(c, "told: %s", r.context)
		}
		p.check(&caseLine{number: c.number, text: c.text, below: checks}, r)
	}
}

// asked says whether the checks below a call ask for something.
func asked(checks []*caseLine, word string) bool {
	for _, c := range checks {
		if c.text == "=> "+word {
			return true
		}
	}
	return false
}

// check holds an answer against the lines "=> …" below. Case and the breaks of
// lines do not count in what is said.
func (p *player) check(l *caseLine, r reply) {
	text := folded(r.text())
	for _, c := range l.below {
		what, _ := strings.CutPrefix(c.text, "=> ")
		word, rest, _ := strings.Cut(what, " ")
		switch {
		case what == "stopped":
			if !r.stopped {
				p.fail(l, "not stopped; told %q", r.context)
			}
		case what == "silent":
			if r.stopped || strings.TrimSpace(r.context) != "" {
				p.fail(l, "not silent: %s", r.text())
			}
		case what == "told":
			if strings.TrimSpace(r.text()) == "" {
				p.fail(l, "nothing is told")
			}
		case word == "says":
			if !oneOf(text, rest) {
				p.fail(l, "does not say %q: %s", rest, r.text())
			}
		case strings.HasPrefix(what, "not says "):
			if rest = strings.TrimPrefix(what, "not says "); oneOf(text, rest) {
				p.fail(l, "says %q: %s", rest, r.text())
			}
		default:
			p.t.Fatalf("line %d: what is %q?", c.number, c.text)
		}
	}
}

func folded(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// oneOf says whether a text has one of the words that " | " divides.
func oneOf(text, words string) bool {
	for _, w := range strings.Split(words, " | ") {
		if strings.Contains(text, folded(w)) {
			return true
		}
	}
	return false
}

// problem looks for a row of lessons problems: "problem", "no problem", "one
// problem", then what it must have: nature=a|b, tool=, program=, target=, rule=,
// sessions=, failed=, stopped= and minutes= (numbers; sessions=3+ for at least), says= (anywhere in it),
// mend= (in how one of its mends reads), refuted= (of one of its mends), covered=yes (by a lesson).
func (p *player) problem(l *caseLine, what string) {
	out, status := p.run("", "problems", "--json")
	var list struct {
		Problems []map[string]any `json:"problems"`
	}
	if err := json.Unmarshal([]byte(out), &list); status != 0 || err != nil {
		p.fail(l, "lessons problems --json: exit status %d, %v: %.200s", status, err, out)
		return
	}
	how, conditions, _ := strings.Cut(what, "problem")
	found := 0
	for _, row := range list.Problems {
		ok := true
		for _, c := range conditionsOf(conditions) {
			ok = ok && holds(row, c[0], c[1])
		}
		if ok {
			found++
		}
	}
	switch how = strings.TrimSpace(how); {
	case how == "no" && found > 0, how == "" && found == 0, how == "one" && found != 1:
		p.fail(l, "%d problems are so, of:\n%s", found, out)
	}
}

// conditionsOf reads KEY=VALUE pairs; a value in quotes may have spaces.
func conditionsOf(text string) (pairs [][2]string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		key, rest, _ := strings.Cut(text, "=")
		end := " "
		if strings.HasPrefix(rest, `"`) {
			rest, end = rest[1:], `"`
		}
		var value string
		value, text, _ = strings.Cut(rest, end)
		pairs = append(pairs, [2]string{key, value})
	}
	return pairs
}

func holds(row map[string]any, key, want string) bool {
	switch key {
	case "says":
		data, _ := json.Marshal(row)
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(row)
		return oneOf(folded(b.String()), want) || oneOf(folded(string(data)), want)
	case "mend":
		data, _ := json.Marshal(row["mends"])
		return oneOf(folded(string(data)), want)
	case "covered":
		lesson, _ := row["lesson"].(string)
		return (lesson != "") == (want == "yes")
	case "sessions", "failed", "stopped", "minutes":
		n, _ := row[key].(float64)
		if least, ok := strings.CutSuffix(want, "+"); ok {
			m, _ := strconv.Atoi(least)
			return int(n) >= m
		}
		return strconv.Itoa(int(n)) == want
	case "refuted":
		mends, _ := row["mends"].([]any)
		return slices.ContainsFunc(mends, func(m any) bool {
			mend, _ := m.(map[string]any)
			return holds(map[string]any{"failed": mend["refuted"]}, "failed", want)
		})
	case "nature", "tool", "program", "target", "rule":
		got, _ := row[key].(string)
		for _, w := range strings.Split(want, "|") {
			if got == w {
				return true
			}
		}
		return false
	}
	panic("no such key of a problem: " + key)
}

// tree is the text of all files below a folder of the work tree.
func (p *player) tree(dir string) string {
	var b strings.Builder
	root := filepath.Join(p.at.dir, dir)
	_ = filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(name, "README") || strings.HasSuffix(name, "config.json") {
			return nil // it is not there
		}
		data, err := os.ReadFile(name)
		b.WriteString(strings.TrimPrefix(name, root) + "\n" + string(data) + "\n")
		return err
	})
	return b.String()
}
