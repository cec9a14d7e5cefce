package gitstate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// commitFormat begins each commit with a byte that begins no raw record. With
// -z every field ends with a NUL.
const commitFormat = "--format=tformat:%x01%H%x00%P%x00%an <%ae>%x00%ct%x00%s"

// fields cuts git's -z output at its NULs.
type fields struct {
	rest []byte
	at   int // bytes consumed, for error texts
}

func (f *fields) next() (string, bool) {
	i := bytes.IndexByte(f.rest, 0)
	if i < 0 {
		return "", false
	}
	s := string(f.rest[:i])
	f.rest, f.at = f.rest[i+1:], f.at+i+1
	return s, true
}

func (f *fields) bad(what string) error {
	return fmt.Errorf("git's answer, byte %d: %s", f.at, what)
}

// parsed reads what a command of git printed. An error names the command.
func parsed[T any](command string, out []byte, parse func([]byte) ([]T, error)) ([]T, error) {
	all, err := parse(out)
	if err != nil {
		return nil, &GitError{Command: command, Err: err}
	}
	return all, nil
}

// parseLog reads "log --raw -z" and "diff-tree --stdin --raw -z", both with
// commitFormat.
func parseLog(out []byte) ([]Commit, error) {
	f := &fields{rest: out}
	var commits []Commit
	for len(f.rest) > 0 {
		first, ok := f.next()
		if !ok {
			return nil, f.bad("cut off")
		}
		first = strings.TrimPrefix(first, "\n") // between a header and its records
		switch {
		case strings.HasPrefix(first, "\x01"):
			c, err := parseCommit(f, first[1:])
			if err != nil {
				return nil, err
			}
			commits = append(commits, c)
		case strings.HasPrefix(first, ":") && len(commits) > 0:
			c, err := parseChange(f, first)
			if err != nil {
				return nil, err
			}
			last := &commits[len(commits)-1]
			last.Changes = append(last.Changes, c)
		default:
			return nil, f.bad(fmt.Sprintf("%.40q is neither a commit nor a change", first))
		}
	}
	return commits, nil
}

func parseCommit(f *fields, oid string) (Commit, error) {
	c := Commit{OID: oid}
	parents, _ := f.next()
	author, _ := f.next()
	stamp, _ := f.next()
	subject, ok := f.next()
	if !ok || !gitdir.IsOID(oid) {
		return c, f.bad(fmt.Sprintf("%.40q does not begin a commit", oid))
	}
	c.Parents, c.Author, c.Subject = strings.Fields(parents), author, subject
	if sec, err := strconv.ParseInt(stamp, 10, 64); err == nil { // a broken commit has no date
		c.Time = time.Unix(sec, 0).UTC()
	}
	return c, nil
}

// parseChanges reads the records of "diff-index --raw -z".
func parseChanges(out []byte) ([]Change, error) {
	f := &fields{rest: out}
	var changes []Change
	for len(f.rest) > 0 {
		first, ok := f.next()
		if !ok {
			return nil, f.bad("cut off")
		}
		c, err := parseChange(f, first)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// parseChange reads one raw record, ":100644 100644 <oid> <oid> R100", and the
// one or two paths that follow it.
func parseChange(f *fields, record string) (Change, error) {
	part := strings.Split(record, " ")
	if len(part) != 5 || len(part[0]) != 7 || part[0][0] != ':' || len(part[4]) == 0 || !gitdir.IsOID(part[2]) || !gitdir.IsOID(part[3]) {
		return Change{}, f.bad(fmt.Sprintf("%.120q is not a raw record", record))
	}
	c := Change{
		OldMode: part[0][1:], NewMode: part[1],
		OldOID: part[2], NewOID: part[3],
		Status: part[4][:1],
	}
	var ok bool
	if c.Status == "R" || c.Status == "C" {
		if c.OldPath, ok = f.next(); !ok {
			return c, f.bad("a record without its old path")
		}
	}
	if c.Path, ok = f.next(); !ok {
		return c, f.bad("a record without its path")
	}
	return c, nil
}

// parseIndex reads "ls-files -s -v -z": "H 100644 <oid> 0<TAB>path".
func parseIndex(out []byte) ([]IndexEntry, error) {
	f := &fields{rest: out}
	var entries []IndexEntry
	for len(f.rest) > 0 {
		line, ok := f.next()
		head, path, tab := strings.Cut(line, "\t")
		part := strings.Split(head, " ")
		if !ok || !tab || len(part) != 4 || len(part[0]) != 1 || len(part[3]) != 1 || !gitdir.IsOID(part[2]) {
			return nil, f.bad(fmt.Sprintf("%.120q is not an index entry", line))
		}
		tag := part[0][0]
		e := IndexEntry{Path: path, Mode: part[1], OID: part[2], Stage: int(part[3][0] - '0')}
		if e.Stage < 0 || e.Stage > 3 {
			return nil, f.bad(fmt.Sprintf("stage %q", part[3]))
		}
		e.Assume = tag >= 'a' && tag <= 'z'
		e.Skip = tag == 'S' || tag == 's'
		entries = append(entries, e)
	}
	return entries, nil
}
