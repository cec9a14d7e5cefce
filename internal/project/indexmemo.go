package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// settled is how long ago a file must have changed for its time to tell all
// further changes: file systems count time in steps of up to two seconds.
const settled = 3 * time.Second

// IndexText is the index as agents read it. While no knowledge file changed it
// comes from a memo in the git directory, because agents ask for it at the start
// of every task.
func (p *Project) IndexText(ctx context.Context) (string, []knowledge.Problem, error) {
	stamp, newest, known := p.indexStamp()
	name := p.local("index-memo")
	if memo, err := p.FS.ReadFile(name); err == nil && known {
		if kept, text, ok := strings.Cut(string(memo), "\n"); ok && kept == stamp {
			return text, nil, nil
		}
	}
	in, problems, err := p.IndexInput(ctx)
	if err != nil {
		return "", problems, err
	}
	text := entry.Index(in)
	theirs := len(in.Decisions.Unreviewed()) + len(in.Pitfalls.Unreviewed()) // they may be trusted by now
	entries := theirs == 0 && len(in.Decisions.All())+len(in.Pitfalls.All()) > 0
	if known && entries && len(problems) == 0 && p.Now().Sub(newest) > settled {
		_ = fsx.WriteFile(p.FS, name, []byte(stamp+"\n"+text)) // without it the next one takes longer
	}
	return text, problems, nil
}

// indexStamp identifies the state of all files that the index is made from, and
// tells when the newest of them changed; known is false where the system does
// not tell that.
func (p *Project) indexStamp() (stamp string, newest time.Time, known bool) {
	h := sha256.New()
	known = true
	addFile := func(path, name string) {
		info, err := p.FS.Lstat(name)
		if err != nil {
			fmt.Fprintf(h, "%s absent\n", path)
			return
		}
		changed := fsx.Changed(info)
		known = known && !changed.IsZero()
		fmt.Fprintf(h, "%s %d %d %d %v %s\n", path, info.Size(), info.ModTime().UnixNano(), changed.UnixNano(), info.Mode(), fsx.FileID(info))
		if changed.After(newest) {
			newest = changed
		}
	}
	add := func(path string) { addFile(path, p.absolute(path)) }
	fmt.Fprintln(h, "index memo 3", p.Root, p.Store.LogStamp())
	addFile("trust", p.trustPath())
	addFile("stale", p.staleMemoPath())
	add(ConfigPath)
	for _, e := range p.Store.Waiting(nil) {
		fmt.Fprintf(h, "%s\n", e.Text)
	}
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		add(entry.BookPath(kind))
		dir := entry.Dir(kind)
		files, err := p.FS.ReadDir(p.absolute(dir))
		if err != nil {
			continue
		}
		for _, f := range files {
			add(dir + "/" + f.Name())
		}
	}
	return hex.EncodeToString(h.Sum(nil)), newest, known
}
