package fsx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
)

func TestAppend(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"nothing there", "", "{1}\n{2}\n"},
		{"only its directory is there", "-", "{1}\n{2}\n"},
		{"whole lines", "{0}\n", "{0}\n{1}\n{2}\n"},
		{"a torn last line stays and ends", "{0}\n{\"half", "{0}\n{\"half\n{1}\n{2}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fsxtest.NewMemory(nil)
			switch tt.before {
			case "":
			case "-":
				m.Put("/g/l/other", "")
			default:
				m.Put("/g/l/ledger.jsonl", tt.before)
			}
			if err := fsx.Append(m, "/g/l/ledger.jsonl", []byte("{1}\n"), []byte("{2}")); err != nil {
				t.Fatal(err)
			}
			m.Crash()
			if got := m.Tree()["/g/l/ledger.jsonl"]; got != tt.after {
				t.Errorf("%q, want %q", got, tt.after)
			}
		})
	}
}

// Every whole record that was there or was acknowledged is there after any
// fault, each once but for one that was repeated because nobody acknowledged it.
func TestAppendLosesNoRecordAtAnyPoint(t *testing.T) {
	for _, before := range []string{"{old}\n", "{old}\n{to"} {
		fsxtest.EveryPoint(t, fsxtest.Scenario{
			Start:   fsxtest.NewMemory(map[string]string{"/g/l": before}),
			Run:     func(f fsx.FS) error { return fsx.Append(f, "/g/l", []byte("{new}\n")) },
			Recover: func(f fsx.FS) error { return fsx.Append(f, "/g/l", []byte("{later}\n")) },
			Check: func(at fsxtest.Point, _, got map[string]string) error {
				lines := strings.Split(got["/g/l"], "\n")
				count := map[string]int{}
				for _, l := range lines {
					count[l]++
				}
				switch {
				case count["{old}"] != 1 || count["{later}"] != 1 || count["{new}"] > 1:
				case at.Err == nil && count["{new}"] != 1:
				case !strings.HasPrefix(got["/g/l"], before):
				default:
					return nil
				}
				return fmt.Errorf("the file is %q", got["/g/l"])
			},
		})
	}
}

func TestAppendRestoresTheLengthAfterAnError(t *testing.T) {
	fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start:   fsxtest.NewMemory(map[string]string{"/g/l": "{old}\n"}),
		Run:     func(f fsx.FS) error { return fsx.Append(f, "/g/l", []byte("{new}\n")) },
		Recover: func(fsx.FS) error { return nil },
		Modes:   []fsxtest.Mode{fsxtest.FailOnce, fsxtest.Short},
		Check: func(at fsxtest.Point, _, got map[string]string) error {
			if got["/g/l"] != "{old}\n" {
				return fmt.Errorf("the file is %q", got["/g/l"])
			}
			return nil
		},
	})
}

func TestAppendFollowsNoLink(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/x": ""})
	m.PutLink("/g/l", "/x")
	if err := fsx.Append(m, "/g/l", []byte("{}\n")); !errors.Is(err, fsx.ErrRefused) {
		t.Errorf("error %v", err)
	}
}
