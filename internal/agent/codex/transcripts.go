package codex

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/payload"
)

// maxMeta bounds the first line of a rollout, which holds the instructions too.
const maxMeta = 1 << 20

// Transcripts lists the rollouts of a repository, sub-agents' included. They lie
// by date, so the first line of each is read for its working directory.
func Transcripts(home fs.FS, root string) ([]string, error) {
	var files []string
	var missing error
	for _, folder := range []string{"sessions", "archived_sessions"} {
		err := fs.WalkDir(home, folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				if name == folder {
					return err
				}
				return nil // an unreadable folder does not hide the others
			}
			if d.Type().IsRegular() && strings.HasPrefix(path.Base(name), "rollout-") && path.Ext(name) == ".jsonl" && agent.Inside(cwdOf(home, name), root) {
				files = append(files, name)
			}
			return nil
		})
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if folder == "sessions" {
				missing = err
			}
		case err != nil:
			return nil, err
		}
	}
	if len(files) == 0 && missing != nil {
		return nil, missing // Codex never ran here
	}
	return files, nil
}

// cwdOf is the working directory of a rollout; empty when its first line does
// not tell.
func cwdOf(home fs.FS, name string) string {
	f, err := home.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(io.LimitReader(f, maxMeta), 64<<10).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	o, err := payload.Parse(line)
	if err != nil || o.Text("type") != "session_meta" {
		return ""
	}
	return o.Object("payload").Text("cwd")
}
