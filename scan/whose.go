package scan

import (
	"cmp"
	"context"
	"io"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// headEvents is how many events are looked at to learn whose session a file
// holds.
const headEvents = 64

// beginning is what the first events of a file say about its session.
type beginning struct {
	opening
	seen          int
	root, id, cwd string
	subAgent      bool
	final         bool // no later event can say otherwise
}

func (b *beginning) see(e transcript.Event) {
	if b.seen == 0 {
		b.subAgent = e.Agent != ""
	}
	b.seen++
	b.root, b.id, b.cwd = cmp.Or(b.root, e.ID), cmp.Or(b.id, e.Session), cmp.Or(b.cwd, e.Cwd)
	b.opening.see(e)
}

// enough says whether no more events need to be seen.
func (b *beginning) enough() bool {
	return b.seen >= headEvents || b.root != "" && b.id != "" && b.cwd != "" && b.over
}

// sessionOf returns the name of a file's session, hashed. It is that of its first
// message in Claude Code, and not the id that the agent gave the file, because a
// resumed or forked copy gets a new id and repeats the messages. Other agents'
// readers give copies the id of their origin. A sub-agent's file belongs to the
// session of its parent.
func (r *run) sessionOf(ctx context.Context, layout transcript.Layout, name string, b *beginning) string {
	root := b.root
	switch {
	case layout.Format != transcript.Claude:
		root = b.id
	case b.subAgent:
		root = cmp.Or(r.parentRoot(ctx, name, b.id), b.id)
	}
	b.final = root != "" && b.cwd != "" && b.over
	for _, s := range []string{root, b.id} {
		if session := knowledge.SessionHash(s); session != "" {
			return session
		}
	}
	return knowledge.SessionHash(name)
}

// parentRoot returns the first message's id of the session that a sub-agent's
// file belongs to, if that session is among the files or beside them. It lies beside the
// sub-agents' folder, or, in older versions, beside the file itself.
func (r *run) parentRoot(ctx context.Context, name, session string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	wanted := []string{slashed[:len(slashed)-len(path.Base(slashed))] + session + ".jsonl"}
	if dir, _, ok := strings.Cut(slashed, "/subagents/"); ok {
		wanted = append(wanted, dir+".jsonl")
	}
	root := ""
	for _, file := range r.filesAt(wanted) {
		if root != "" {
			break
		}
		f, info, err := file.Open()
		if err != nil {
			continue
		}
		// A parent that cannot be read leaves the session's id as its name.
		_, _ = readEvents(transcript.Layout{Format: transcript.Claude}, watched{ctx, io.LimitReader(f, info.Size), nil}, transcript.Options{}, func(e transcript.Event) error {
			if root = e.ID; root != "" {
				return errEnough
			}
			return nil
		})
		f.Close()
	}
	return root
}

// filesAt returns the files of these paths, with slashes, that can be opened:
// what is found must not depend on which files are scanned together.
func (r *run) filesAt(wanted []string) []File {
	var found []File
	for _, name := range wanted {
		if i, ok := r.places()[name]; ok {
			found = append(found, r.Files[i])
		} else if r.Beside != nil {
			if f, ok := r.Beside(name); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

// foreign says whether a working directory lies outside of all roots. A session
// that names none is taken for one of ours.
func (r *run) foreign(cwd string) bool {
	if cwd == "" || len(r.roots) == 0 {
		return false
	}
	_, inside := relativeTo(r.roots, cwd)
	return !inside
}

// relativeTo returns a path relative to the root that holds it, with slashes.
func relativeTo(roots []string, name string) (string, bool) {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	for _, root := range roots {
		root = path.Clean(strings.ReplaceAll(root, `\`, "/"))
		if clean == root {
			return ".", true
		}
		if rest, ok := strings.CutPrefix(clean, strings.TrimSuffix(root, "/")+"/"); ok {
			return rest, true
		}
	}
	return "", false
}
