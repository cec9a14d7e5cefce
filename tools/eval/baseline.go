package main

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// The baseline is what the documents that lessons grew from describe: their
// scanner's table of signals (an error, then a new call; the words of a
// correction, then an answer; three calls of one tool with changes; a long wait
// with nothing to show; the words of a diagnosis) and their list of phrases for
// corrections. It stands on our readers, so it sees every agent, and
// failures that no client flags: that is to its good.
// Decisions and workflows they left to a model, so the baseline has none.

var (
	// correctionWords are both documents' phrases.
	correctionWords = regexp.MustCompile(`(?i)\bno\b|\bwrong\b|that's not right|you forgot|you missed|you didn't|but you also need|don't forget|remember to|make sure you`)
	diagnosisWords  = regexp.MustCompile(`(?i)\bcan't\b|\bdoesn't\b|the issue is|root cause`)
)

const (
	retryCalls = 3
	longWait   = 30 * time.Second
)

// seedScan is the baseline at work on one session.
type seedScan struct {
	file  string
	found []finding

	calls     map[string]transcript.Event // by tool-use id
	failed    int                         // line of a failure that awaits a new call, or noLine
	corrected int                         // line of words that await an answer, or noLine
	tool      string                      // of the last calls
	inputs    map[string]bool             // of the last calls, if one tool made them
	troubled  bool                        // one of the last calls failed
}

// baseline returns what the seeds' heuristics find in a session.
func baseline(name, file string) ([]finding, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := &seedScan{file: file, calls: map[string]transcript.Event{}, failed: noLine, corrected: noLine}
	_, err = transcript.Read(name, f, transcript.Options{}, func(e transcript.Event) error {
		s.see(e)
		return nil
	})
	var format *transcript.ErrFormat
	if errors.As(err, &format) {
		err = nil // what cannot be read has no findings, ours or theirs
	}
	return s.found, err
}

func (s *seedScan) see(e transcript.Event) {
	switch e.Kind {
	case transcript.User:
		s.corrected = noLine
		if correctionWords.MatchString(e.Text) {
			s.corrected = e.Line
		}
	case transcript.Assistant:
		if s.corrected != noLine {
			s.add("user_correction", s.corrected, noLine)
			s.corrected = noLine
		}
		if diagnosisWords.MatchString(e.Text) {
			s.add("self_diagnosis", e.Line, noLine)
		}
	case transcript.ToolCall:
		s.call(e)
	case transcript.ToolResult, transcript.Rejection:
		s.result(e)
	}
}

// flagged says whether a client calls a result an error: what a person refused
// and what a sibling's failure cancelled are among them.
func flagged(e transcript.Event) bool {
	switch e.Outcome {
	case transcript.Fail, transcript.TimedOut, transcript.Cancelled, transcript.Blocked:
		return true
	}
	return e.Kind == transcript.Rejection
}

func (s *seedScan) add(kind string, line, errorLine int) {
	s.found = append(s.found, finding{File: s.file, Line: line, ErrorLine: errorLine, Kind: kind})
}

func (s *seedScan) call(e transcript.Event) {
	s.calls[e.ToolUse] = e
	if s.failed != noLine {
		s.add("error_correction", e.Line, s.failed)
		s.failed = noLine
	}
	if s.tool != e.Tool {
		s.tool, s.inputs, s.troubled = e.Tool, map[string]bool{}, false
	}
	s.inputs[string(e.Input)] = true
	if s.troubled && len(s.inputs) == retryCalls {
		s.add("retry_loop", e.Line, noLine)
	}
}

func (s *seedScan) result(e transcript.Event) {
	made := s.calls[e.ToolUse]
	empty := strings.TrimSpace(e.Text) == ""
	slow := !made.Time.IsZero() && e.Time.Sub(made.Time) > longWait
	if e.Outcome == transcript.TimedOut || slow && empty && made.Tool == "Bash" {
		s.add("hang_timeout", e.Line, e.Line)
	}
	if flagged(e) {
		s.failed, s.troubled = e.Line, true
	}
}
