package gitstate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// catFile is one running "git cat-file" that answers many requests.
type catFile struct {
	args     []string
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *os.File
	buf      *bufio.Reader
	errs     firstWords
	greeted  bool
	sawIndex string // the index's stamp when it was first asked of
}

// greeting names the empty tree, which git knows without reading anything. The
// answer, whatever it is, tells a process that cannot start from one that an
// object killed.
const greeting = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// flushEvery is the largest number of requests that go out at once.
const flushEvery = 200

// batchCommand needs git 2.36; its requests are commands.
var batchCommand = []string{"cat-file", "--batch-command", "--buffer"}

func startCatFile(p *program, args []string) (*catFile, error) {
	c := &catFile{args: args, cmd: p.command(context.Background(), args)}
	c.cmd.Stderr = &c.errs
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()
	c.in, c.out, c.buf = in, read, bufio.NewReaderSize(read, 64<<10)
	c.cmd.Stdout = write
	p.started.Add(1)
	if err := c.cmd.Start(); err != nil {
		read.Close()
		return nil, &GitError{Command: "cat-file", Exit: -1, Err: err}
	}
	return c, nil
}

func (c *catFile) commands() bool { return c.args[1] == "--batch-command" }

// errDied is the end of the process in the middle of its answers.
var errDied = errors.New("git cat-file ended early")

// ask fills objects with the answers to names and returns how many it got. An
// error other than the context's or errDied is final.
func (c *catFile) ask(ctx context.Context, names []string, contents bool, objects []Object) (int, error) {
	stop := context.AfterFunc(ctx, c.kill)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		io.WriteString(c.in, c.requests(names, contents)) // a failure shows as the end of the answers
	}()
	n, err := c.answers(names, contents, objects)
	if err != nil {
		c.kill()
	}
	<-sent
	if !stop() { // killed, perhaps after its last answer
		return n, ctx.Err()
	}
	return n, err
}

func (c *catFile) requests(names []string, contents bool) string {
	var b strings.Builder
	if !c.greeted {
		names = append([]string{greeting}, names...)
	}
	for i, name := range names {
		if c.commands() {
			if contents && (c.greeted || i > 0) {
				b.WriteString("contents ")
			} else {
				b.WriteString("info ")
			}
		}
		b.WriteString(name)
		b.WriteByte('\n')
	}
	if c.commands() {
		b.WriteString("flush\n")
	}
	return b.String()
}

func (c *catFile) answers(names []string, contents bool, objects []Object) (int, error) {
	if !c.greeted {
		if err := c.answer(&Object{}, greeting, c.args[1] == "--batch"); err != nil {
			return 0, c.startFailure(err)
		}
		c.greeted = true
	}
	for i, name := range names {
		if err := c.answer(&objects[i], name, contents); err != nil {
			objects[i] = Object{}
			return i, err
		}
	}
	return len(names), nil
}

// startFailure is a process that ended before it answered anything.
func (c *catFile) startFailure(err error) error {
	if !errors.Is(err, errDied) {
		return err
	}
	c.in.Close()
	if err = c.cmd.Wait(); err == nil {
		err = errDied
	}
	return failure("cat-file", err, c.errs.line())
}

func (c *catFile) answer(o *Object, name string, contents bool) error {
	line, err := c.buf.ReadString('\n')
	if err != nil {
		return errDied
	}
	size, err := parseHeader(strings.TrimSuffix(line, "\n"), name, o)
	if err != nil || o.Missing || !contents {
		return err
	}
	if size > MaxContent {
		_, err = io.CopyN(io.Discard, c.buf, size)
	} else {
		o.Data = make([]byte, size)
		_, err = io.ReadFull(c.buf, o.Data)
	}
	if err != nil {
		return errDied
	}
	if end, err := c.buf.ReadByte(); err != nil || end != '\n' {
		return errDied
	}
	return nil
}

// parseHeader reads one answer line of cat-file to the object it names:
// "<oid> <type> <size>", or the name with "missing" and the like.
func parseHeader(line, name string, o *Object) (size int64, err error) {
	o.Name = name
	if rest, ok := strings.CutPrefix(line, name+" "); ok {
		if rest == "missing" || rest == "ambiguous" {
			o.Missing = true
			return 0, nil
		}
	}
	part := strings.Split(line, " ")
	if len(part) == 2 && part[1] == "submodule" { // of git 2.51 on: a commit of another repository
		o.Missing = true
		return 0, nil
	}
	if len(part) != 3 || !gitdir.IsOID(part[0]) {
		return 0, fmt.Errorf("git cat-file answers %.120q to %.120q", line, name)
	}
	switch part[1] {
	case "blob", "tree", "commit", "tag":
	default:
		return 0, fmt.Errorf("git cat-file: %.120q is no object type", part[1])
	}
	size, err = strconv.ParseInt(part[2], 10, 64)
	if err != nil || size < 0 {
		return 0, fmt.Errorf("git cat-file: %.120q is no size", part[2])
	}
	o.OID, o.Type = part[0], part[1]
	return size, nil
}

// kill ends the process at once; a reader wakes up.
func (c *catFile) kill() {
	c.cmd.Process.Kill()
	c.out.Close()
}

// close lets the process end by itself; after a kill it only cleans up.
func (c *catFile) close() {
	c.in.Close()
	c.out.Close()
	c.cmd.Wait()
}
