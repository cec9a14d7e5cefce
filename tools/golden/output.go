package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// output is the folder that is written. Of files that are too large only size
// and hash are kept, a line each in the file digests.
type output struct {
	dir  string
	most int

	mu      sync.Mutex
	digests []string
}

func (o *output) write(name, text string) error {
	if o.most > 0 && len(text) > o.most {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.digests = append(o.digests, fmt.Sprintf("%x %8d %s\n", sha256.Sum256([]byte(text)), len(text), name))
		return nil
	}
	return writeFile(filepath.Join(o.dir, filepath.FromSlash(name)), text)
}

// writeParts writes one file for each part that a script began.
func (o *output) writeParts(folder, text string) error {
	for _, part := range strings.Split("\n"+text, "\n=== ") {
		name, body, _ := strings.Cut(part, "\n")
		if name == "" {
			name = "begin"
		}
		if err := o.write(folder+"/"+name+".txt", body); err != nil {
			return err
		}
	}
	return nil
}

func (o *output) close() error {
	if len(o.digests) == 0 {
		return nil
	}
	slices.SortFunc(o.digests, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return writeFile(filepath.Join(o.dir, "digests"), strings.Join(o.digests, ""))
}

func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}
