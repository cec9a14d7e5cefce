package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// sessions are recorded session files of one JSON object a line, to be repeated
// until there are enough of them.
type sessions struct {
	files [][]byte
	ids   [][]int // where ids end in each of them
	size  int
}

var idValue = regexp.MustCompile(`"(?:uuid|parentUuid|leafUuid|sessionId|session_id|tool_use_id|toolUseID|parentToolUseID|sourceToolAssistantUUID|messageId|requestId|call_id|id)":"[^"\\]+`)

// readSessions reads the files below some folders.
func readSessions(dirs ...string) (*sessions, error) {
	s := &sessions{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".jsonl") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if len(data) > 0 && data[len(data)-1] != '\n' {
				data = append(data, '\n')
			}
			var ends []int
			for _, at := range idValue.FindAllIndex(data, -1) {
				ends = append(ends, at[1])
			}
			s.files, s.ids = append(s.files, data), append(s.ids, ends)
			s.size += len(data)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if s.size == 0 {
		return nil, fmt.Errorf("no sessions below %s", strings.Join(dirs, ", "))
	}
	return s, nil
}

// copyTo writes the n-th copy of a file. Every id in it differs from that in
// other copies, so that it is another session and not a repetition.
func (s *sessions) copyTo(w *bufio.Writer, file, n int) error {
	suffix := "x" + strconv.Itoa(n)
	at := 0
	for _, end := range s.ids[file] {
		w.Write(s.files[file][at:end])
		w.WriteString(suffix)
		at = end
	}
	_, err := w.Write(s.files[file][at:])
	return err
}

// repeat fills a folder with copies until it holds size bytes, and returns the
// files.
func (s *sessions) repeat(dir string, size int) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var names []string
	for n, written := 0, 0; written < size; n++ {
		for file := range s.files {
			name := filepath.Join(dir, fmt.Sprintf("%05d-%03d.jsonl", n, file))
			if err := writeFile(name, func(w *bufio.Writer) error { return s.copyTo(w, file, n) }); err != nil {
				return nil, err
			}
			names = append(names, name)
			written += len(s.files[file])
		}
	}
	return names, nil
}

// join writes one file of copies.
func (s *sessions) join(name string, size int) error {
	return writeFile(name, func(w *bufio.Writer) error {
		for n, written := 0, 0; written < size; n++ {
			for file := range s.files {
				if !bytes.Contains(s.files[file][:min(len(s.files[file]), 4096)], []byte(`"sessionId"`)) {
					continue // of another agent
				}
				if err := s.copyTo(w, file, n); err != nil {
					return err
				}
				written += len(s.files[file])
			}
			if written == 0 {
				return fmt.Errorf("no session of one agent")
			}
		}
		return nil
	})
}

func writeFile(name string, write func(*bufio.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		f.Close()
		return err
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

const (
	userLine   = `{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":"s","version":"2.1.0","type":"user","message":{"role":"user","content":%s},"uuid":"u%d","timestamp":"2026-01-02T03:%02d:%02d.000Z"}` + "\n"
	callLine   = `{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":"s","version":"2.1.0","type":"assistant","message":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}]},"uuid":"a%d","timestamp":"2026-01-02T03:%02d:%02d.000Z"}` + "\n"
	resultText = `[{"tool_use_id":"t%d","type":"tool_result","content":%q,"is_error":%v}]`
)

// longLine writes a session with a line of size bytes in its middle.
func longLine(name, cwd string, size int) error {
	return writeFile(name, func(w *bufio.Writer) error {
		fmt.Fprintf(w, userLine, cwd, `"Begin."`, 1, 0, 1)
		begin, end, _ := strings.Cut(fmt.Sprintf(userLine, cwd, `[{"tool_use_id":"t","type":"tool_result","content":"<>"}]`, 2, 0, 2), "<>")
		w.WriteString(begin)
		piece := strings.Repeat(`some output of \"one\" command\n`, 1<<10)
		for n := 0; n < size; n += len(piece) {
			w.WriteString(piece)
		}
		w.WriteString(end)
		_, err := fmt.Fprintf(w, userLine, cwd, `"End."`, 3, 0, 3)
		return err
	})
}

// manyFindings writes a session in which n commands fail and are mended.
func manyFindings(name, cwd string, n int) error {
	return writeFile(name, func(w *bufio.Writer) error {
		fmt.Fprintf(w, userLine, cwd, `"Go on."`, 0, 0, 0)
		for i := range n {
			bad, good := fmt.Sprintf("gh pr diff %d --stat", i), fmt.Sprintf("gh pr diff %d --name-only", i)
			m, s := i/60%60, i%60
			fmt.Fprintf(w, callLine, cwd, 2*i, bad, 2*i, m, s)
			fmt.Fprintf(w, userLine, cwd, fmt.Sprintf(resultText, 2*i, "Exit code 1\nunknown flag: --stat", true), 4*i+1, m, s)
			fmt.Fprintf(w, callLine, cwd, 2*i+1, good, 2*i+1, m, s)
			fmt.Fprintf(w, userLine, cwd, fmt.Sprintf(resultText, 2*i+1, "a.go", false), 4*i+3, m, s)
		}
		return nil
	})
}
