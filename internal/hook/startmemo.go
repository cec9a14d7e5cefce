package hook

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge"
)

// StartMemo is what a session was told when it started, where that was nothing new, and what a
// sub-agent is told. The next ones are told the same, as long as nothing changed that it was
// made from.
type StartMemo struct {
	Session, Subagent Told
	Until             string   // the day on which it is made anew, in UTC
	User              string   // the folder of the person's lessons
	Places            []string // the files and folders it was made from
	Stamp             uint64   // of the places
}

// Told is what an agent is told when it starts.
type Told struct {
	Context string
	Lessons []inject.Started // in Context
}

// StartMemoPath is where the memo of a work tree lies.
func StartMemoPath(gitDir string) string { return filepath.Join(gitDir, "lessons", "start-memo") }

// StampOf identifies the state of files and folders, and tells when the newest of them changed.
func StampOf(places []string) (stamp uint64, newest time.Time) {
	var infos []fs.FileInfo
	for _, place := range places {
		info := describe(place)
		infos = append(infos, info)
		if info != nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	return inject.Stamp(infos...), newest
}

// remembered is what a session or a sub-agent is told that starts in a work tree where nothing
// changed since the last session. What is to be looked at all the same is done beside the hook.
func (sys *System) remembered(e agent.Event) (told Told, ok bool) {
	if e.Name != agent.SubagentStart && (e.Name != agent.SessionStart || e.Source != "startup") {
		return Told{}, false
	}
	p, ok := find(e.Cwd)
	if !ok {
		return Told{}, false
	}
	memo, ok := sys.memoOf(p)
	if e.Name == agent.SubagentStart {
		return memo.Subagent, ok
	}
	return memo.Session, ok
}

// memoOf is the memo of a work tree in which nothing changed since.
func (sys *System) memoOf(p place) (memo StartMemo, ok bool) {
	name := StartMemoPath(p.gitDir)
	folder, file := describe(filepath.Dir(name)), describe(name) // as with the index, no links
	if folder == nil || !folder.IsDir() || file == nil || !file.Mode().IsRegular() {
		return StartMemo{}, false
	}
	if data, err := os.ReadFile(name); err != nil || json.Unmarshal(data, &memo) != nil {
		return StartMemo{}, false
	}
	if memo.User != sys.userLessons() || sys.Now().UTC().Format(time.DateOnly) >= memo.Until {
		return StartMemo{}, false
	}
	if now, _ := StampOf(memo.Places); now != memo.Stamp {
		return StartMemo{}, false
	}
	return memo, true
}

// recall is the answer of a memo; the lessons in it are recorded.
func (sys *System) recall(told Told, e agent.Event) agent.Answer {
	if p, ok := find(e.Cwd); ok {
		session := inject.OpenSession(inject.PlacesOf(p.gitDir, sys.Env), e.Session, e.AgentID)
		session.NoteStart(knowledge.SessionHash(e.Session), sys.Now().UnixMilli(), told.Lessons)
	}
	return agent.Answer{Context: told.Context}
}

// catchUp reads what sessions of the agent's were cut short, beside the hook of a session.
func (sys *System) catchUp(c *agent.Client, e agent.Event) {
	if e.Name != agent.SessionStart {
		return
	}
	sys.Start(e.Cwd, "scan", "--quiet", "--render", "--due="+cmp.Or(e.Transcript, e.Session, "-"), "--agent", c.Name)
}
