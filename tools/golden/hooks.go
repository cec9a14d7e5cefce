package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// payload is what one hook was given.
type payload struct{ agent, name, event, input string }

// answerHooks gives every recorded payload to the hook, each in a repository
// that has seen none before, twice; and then all of an agent one after the other.
func answerHooks(o options, m *machine, out *output, work *pool) error {
	sources := map[string][]payload{}
	own, err := ownPayloads(o.repo)
	if err != nil {
		return err
	}
	sources["repository"] = own
	for _, folder := range o.payloads {
		if sources[nameOf(folder)], err = payloadsIn(folder); err != nil {
			return err
		}
	}
	for source, all := range sources {
		byAgent := map[string][]payload{}
		for _, p := range all {
			byAgent[p.agent] = append(byAgent[p.agent], p)
		}
		for agent, some := range byAgent {
			r, err := m.in("hooks/" + source + "/" + agent)
			if err != nil {
				return err
			}
			work.do(func() error {
				said, err := r.answer(some)
				if err != nil {
					return err
				}
				return out.write("hooks/"+source+"/"+agent+".txt", said)
			})
		}
	}
	return nil
}

func (m *machine) answer(payloads []payload) (string, error) {
	if err := writeFile(m.path("log.jsonl"), mustRead("ready.jsonl")); err != nil {
		return "", err
	}
	var said strings.Builder
	said.WriteString(m.playText("layout=book\n" + mustRead("begin.sh") + mustRead("teach.sh")))
	state := []string{"repo/.git/lessons", "home", "tmp"}
	for _, dir := range state {
		if err := os.CopyFS(m.path("kept/"+dir), os.DirFS(m.path(dir))); err != nil {
			return "", err
		}
	}
	for _, p := range payloads {
		for _, dir := range state {
			if err := os.RemoveAll(m.path(dir)); err != nil {
				return "", err
			}
			if err := os.CopyFS(m.path(dir), os.DirFS(m.path("kept/"+dir))); err != nil {
				return "", err
			}
		}
		fmt.Fprintf(&said, "== %s\n%s", p.name, m.hook(p))
		if !oncePerMoment(p.event) {
			fmt.Fprintf(&said, "-- again\n%s", m.hook(p))
		}
	}
	said.WriteString("== all in one session\n")
	heard := map[string]bool{}
	for _, p := range payloads {
		if oncePerMoment(p.event) && heard[p.event] {
			continue
		}
		heard[p.event] = true
		fmt.Fprintf(&said, "-- %s\n%s", p.name, m.hook(p))
	}
	return said.String(), nil
}

// oncePerMoment says of which events the second of two within some seconds is
// taken for a repetition: what it answers would depend on the machine's speed.
func oncePerMoment(event string) bool {
	switch strings.ToLower(event) {
	case "sessionstart", "subagentstart", "experimental.chat.system.transform":
		return true
	}
	return false
}

func (m *machine) hook(p payload) string {
	input := p.input
	for _, dir := range []string{"/home/dev/project", "/home/dev/repo", "/home/dev/app"} {
		input = strings.ReplaceAll(input, dir, m.path("repo"))
	}
	input = strings.ReplaceAll(input, "/home/dev", m.path("home"))
	said := m.run("repo", input, "lessons-hook", p.agent, p.event)
	return said + line(said)
}

// ownPayloads finds the payloads of the repository's tests.
func ownPayloads(repo string) ([]payload, error) {
	var all []payload
	err := filepath.WalkDir(repo, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(filepath.ToSlash(name), "/testdata/payloads") {
			found, err := payloadsIn(name)
			all = append(all, found...)
			return err
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no payloads below %s", repo)
	}
	return all, err
}

func payloadsIn(folder string) ([]payload, error) {
	var all []payload
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.json*"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		agent, base := filepath.Base(filepath.Dir(file)), filepath.Base(file)
		if filepath.Ext(file) == ".json" {
			all = append(all, payload{agent, base, eventOf(agent, base), string(data)})
			continue
		}
		for row := range strings.Lines(string(data)) {
			var p struct {
				Event   string
				Payload json.RawMessage
			}
			if json.Unmarshal([]byte(row), &p) == nil && p.Event != "" {
				all = append(all, payload{agent, fmt.Sprintf("%s %d %s", base, len(all)+1, p.Event), p.Event, string(p.Payload)})
			}
		}
	}
	return all, nil
}

// eventOf takes the agent's word for the event from a file's name.
func eventOf(agent, base string) string {
	if agent == "opencode" {
		for _, event := range []string{"experimental.chat.system.transform", "tool.execute.before", "tool.execute.after", "chat.message", "event"} {
			if strings.HasPrefix(base, event+".") {
				return event
			}
		}
	}
	word, _, _ := strings.Cut(base, ".")
	word, _, _ = strings.Cut(word, "-")
	return word
}
