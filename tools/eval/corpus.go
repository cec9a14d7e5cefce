package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// label is one true event, as a person saw it. Lines are 1-based; in a session
// that is one JSON object they are 0-based positions in its messages.
type label struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	ErrorLine *int   `json:"error_line"`
	Kind      string `json:"kind"`
	Words     string `json:"trigger_text"`
	Worth     bool   `json:"worth_a_lesson"`
}

// negative is a stretch of a session that looks like an event and is none.
type negative struct {
	File  string `json:"file"`
	From  int    `json:"from_line"`
	To    int    `json:"to_line"`
	Looks string `json:"looks_like"`
}

// group is one lesson that several events teach.
type group struct {
	Name   string  `json:"group"`
	Events []event `json:"events"`
}

// event is a place in a session.
type event struct {
	file string
	line int
}

// UnmarshalJSON reads ["file", line].
func (e *event) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&e.file, &e.line})
}

// corpus is a folder of sessions with what a person found in them.
type corpus struct {
	root      string
	labels    []label
	negatives []negative
	groups    []group
}

// readCorpus reads the labels. Negatives and groups may be missing.
func readCorpus(root string) (*corpus, error) {
	c := &corpus{root: root}
	err := readLines(filepath.Join(root, "labels.jsonl"), &c.labels)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no labels.jsonl, so it is no labelled corpus: name one with make eval CORPUS=DIR", root)
	}
	for _, more := range []error{err, optional(readLines(filepath.Join(root, "negatives.jsonl"), &c.negatives)), optional(readLines(filepath.Join(root, "recurring.jsonl"), &c.groups))} {
		if more != nil {
			return nil, more
		}
	}
	for i, l := range c.labels {
		if _, err := os.Stat(c.path(l.File)); err != nil {
			return nil, fmt.Errorf("%s:%d: the session is not there: %w", filepath.Join(root, "labels.jsonl"), i+1, err)
		}
	}
	return c, nil
}

func optional(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// readLines reads one JSON value a line.
func readLines[T any](name string, into *[]T) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		*into = append(*into, v)
	}
	return lines.Err()
}

// sessions is the folder whose sessions are scanned: all of them, labelled or
// not, because triggers are held against every command.
func (c *corpus) sessions() string {
	if dir := filepath.Join(c.root, "transcripts"); isDir(dir) {
		return dir
	}
	return c.root
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// labelled returns the sessions that somebody looked through: those with a label
// or a negative. The others say nothing about what was missed.
func (c *corpus) labelled() []string {
	var files []string
	seen := map[string]bool{}
	add := func(file string) {
		if !seen[file] {
			seen[file] = true
			files = append(files, file)
		}
	}
	for _, l := range c.labels {
		add(l.File)
	}
	for _, n := range c.negatives {
		add(n.File)
	}
	return files
}

// path returns where a file of the labels lies.
func (c *corpus) path(file string) string {
	return filepath.Join(c.root, filepath.FromSlash(file))
}

// part returns a folder of a session's path by its position, "-" where the
// corpus is laid out in another way.
func part(file string, i int) string {
	parts := strings.Split(file, "/")
	if i >= len(parts)-1 {
		return "-"
	}
	return parts[i]
}

// relative returns a path as the labels spell it.
func (c *corpus) relative(name string) string {
	rel, err := filepath.Rel(c.root, name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(rel)
}
