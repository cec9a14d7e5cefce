package gitstate

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// Identity implements [Program].
func (r *execRepo) Identity(ctx context.Context) (name, email string, err error) {
	out, err := r.program.run(ctx, nil, "config", "-z", "--get-regexp", `^user\.(name|email)$`)
	if err != nil && !exited(err, 1) {
		return "", "", err
	}
	for pair := range strings.SplitSeq(string(out), "\x00") {
		switch key, value, _ := strings.Cut(pair, "\n"); key {
		case "user.name":
			name = value
		case "user.email":
			email = value
		}
	}
	return name, email, nil
}

// maxReflog is how much of a reflog is read, from its end, in bytes.
const maxReflog = 4 << 20

// Committed implements [Program].
func (f files) Committed() ([]string, error) {
	var oids []string
	for _, dir := range append([]string{f.at.CommonDir}, f.linked()...) {
		name := filepath.Join(dir, "logs", "HEAD")
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		log, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(log[max(0, len(log)-maxReflog):]) {
			names, message, _ := strings.Cut(string(line), "\t")
			if oid := strings.Fields(names); len(oid) > 1 && gitdir.IsOID(oid[1]) && madeByCommit(message) {
				oids = append(oids, oid[1])
			}
		}
	}
	return oids, nil
}

// madeByCommit says whether a reflog's message is one of git commit. That of a merge is
// not: it holds what others wrote.
func madeByCommit(message string) bool {
	what, _, ok := strings.Cut(message, ": ")
	return ok && (what == "commit" || what == "commit (initial)" || what == "commit (amend)")
}
