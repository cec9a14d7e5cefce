package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

const treeLog = "/r/" + observe.LogPath

func TestUnparseableLogLinesVanishOnRewriteByTheStore(t *testing.T) {
	bad := "{\"half\": \n\xff\xfe\n<<<<<<< HEAD\n{\"id\":\"obs_x\",\"type\":\"of the future\"}\r\n\n"
	m := fsxtest.NewMemory(map[string]string{sharedLog: bad + readyLine("obs_new001", "A") + "{\"torn"})
	s := storeIn(m)
	mine, other := load(t, s), load(t, s)
	for _, snap := range []*Snapshot{mine, other} { // the second one joins what the first one wrote
		o := snap.Log.Get("obs_new001")
		o.Status = observe.Created
		snap.Log.Put(o)
		snap.Log.Put(&observe.Observation{ID: "obs_zzz001", Type: knowledge.Pitfall, Pattern: "Z", Status: observe.Observing, Observations: 1})
		apply(t, s, Transaction{Log: snap.Log})
	}
	got := m.Tree()[sharedLog]
	if !strings.HasPrefix(got, bad) || strings.Count(got, "\n{\"torn\n") != 1 {
		t.Errorf("the log is now:\n%q", got)
	}
}

func TestATrackedLogIsTheLog(t *testing.T) {
	mine, theirs := readyLine("obs_mine01", "Mine"), readyLine("obs_theirs", "Theirs")
	tests := []struct {
		name    string
		config  string
		tracked bool
		inTree  bool
		written string
	}{
		{"left by an earlier tool", "", false, false, sharedLog},
		{"tracked", "", true, false, treeLog},
		{"committed by the settings", `{"log":"committed"}`, false, false, treeLog},
		{"tracked although the settings say ignored", `{"log":"ignored"}`, true, false, treeLog},
		{"without git", "", false, true, treeLog},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fsxtest.NewMemory(map[string]string{sharedLog: mine, treeLog: theirs})
			if tt.config != "" {
				m.Put("/r/.lessons/config.json", tt.config)
			}
			s := storeIn(m)
			s.LogInTree = tt.inTree
			s.Tracked = func(path string) bool { return tt.tracked && path == observe.LogPath }
			if err := s.VouchLog(); err != nil {
				t.Fatal(err)
			}
			snap := load(t, s)
			if snap.Log.Get("obs_mine01") == nil || snap.Log.Get("obs_theirs") == nil {
				t.Error("one of the logs was not read")
			}
			before := m.Tree()
			apply(t, s, Transaction{Log: snap.Log})
			after := m.Tree()
			for _, name := range []string{sharedLog, treeLog} {
				if (after[name] != before[name]) != (name == tt.written) {
					t.Errorf("%s: %q", name, after[name])
				}
			}
			if got := after[tt.written]; !strings.Contains(got, mine) || !strings.Contains(got, theirs) {
				t.Errorf("written: %q", got)
			}
		})
	}
}

// A log that comes with a pull counts once a person trusts it; what this clone writes there
// stays trusted.
func TestATrackedLogOfOthersIsLeftAlone(t *testing.T) {
	mine, theirs := readyLine("obs_mine01", "Mine"), readyLine("obs_theirs", "Theirs")
	m := fsxtest.NewMemory(map[string]string{sharedLog: mine, treeLog: theirs, "/r/.lessons/config.json": `{"log":"committed"}`})
	s := storeIn(m)
	s.Tracked = func(path string) bool { return path == observe.LogPath }
	reads := func(want ...string) {
		t.Helper()
		snap := load(t, s)
		if doubted := len(want) == 1; snap.LogDoubted != doubted {
			t.Errorf("doubted: %v", snap.LogDoubted)
		}
		for _, id := range []string{"obs_mine01", "obs_theirs", "obs_eve001"} {
			if there := snap.Log.Get(id) != nil; there != slices.Contains(want, id) {
				t.Errorf("%s is read: %v", id, there)
			}
		}
		snap.Log.Put(&observe.Observation{ID: "obs_new" + fmt.Sprint(len(m.Tree()[treeLog])), Type: knowledge.Pitfall, Pattern: "New", Status: observe.Observing, Observations: 1})
		apply(t, s, Transaction{Log: snap.Log})
	}
	reads("obs_mine01")
	if m.Tree()[treeLog] != theirs {
		t.Errorf("written: %q", m.Tree()[treeLog])
	}
	if err := s.VouchLog(); err != nil {
		t.Fatal(err)
	}
	reads("obs_mine01", "obs_theirs")
	reads("obs_mine01", "obs_theirs")
	m.Put(treeLog, m.Tree()[treeLog]+readyLine("obs_eve001", "Eve's"))
	reads("obs_mine01")
}

func TestTheIndexIsAskedOnlyForALogInTheWorkTree(t *testing.T) {
	s := storeIn(fsxtest.NewMemory(fullTree()))
	s.Tracked = func(path string) bool { t.Errorf("asked for %s", path); return false }
	load(t, s)
}

func TestWhatIsRemovedFromTheLogDoesNotComeBack(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{
		sharedLog: readyLine("obs_gone01", "Gone") + readyLine("obs_stay01", "Stay"),
		treeLog:   "{\"torn\n" + readyLine("obs_gone02", "Gone too") + readyLine("obs_stay02", "Stays too"),
	})
	s := storeIn(m)
	snap := load(t, s)
	snap.Log.Remove("obs_gone01")
	snap.Log.Remove("obs_gone02")
	other := load(t, s)
	other.Log.Put(&observe.Observation{ID: "obs_other1", Type: knowledge.Pitfall, Pattern: "Other", Status: observe.Observing, Observations: 1})
	apply(t, s, Transaction{Log: other.Log}) // a scan in between
	apply(t, s, Transaction{Log: snap.Log})
	after := load(t, s).Log
	for id, stays := range map[string]bool{"obs_gone01": false, "obs_gone02": false, "obs_stay01": true, "obs_stay02": true, "obs_other1": true} {
		if (after.Get(id) != nil) != stays {
			t.Errorf("%s is there: %v", id, !stays)
		}
	}
	if !strings.HasPrefix(m.Tree()[treeLog], "{\"torn\n") {
		t.Errorf("the other log: %q", m.Tree()[treeLog])
	}
}

func onceSeen(session string) *observe.Observation {
	return &observe.Observation{
		ID: "obs_shared", Type: knowledge.Pitfall, Pattern: "P", Sessions: []string{session}, Observations: 1,
		FirstSeen: kit.Day(1), LastSeen: kit.Day(1), Status: observe.Observing, QualityOK: true,
	}
}

func TestEvidenceThatComesTogetherPromotes(t *testing.T) {
	line := func(session string) string {
		var l observe.Log
		l.Put(onceSeen(session))
		return string(l.Bytes())
	}
	t.Run("in two places", func(t *testing.T) {
		s := storeIn(fsxtest.NewMemory(map[string]string{sharedLog: line("s1"), treeLog: line("s2")}))
		if o := load(t, s).Log.Get("obs_shared"); o.Status != observe.Ready || o.Observations != 2 {
			t.Errorf("%+v", o)
		}
	})
	t.Run("from two processes", func(t *testing.T) {
		s := storeIn(fsxtest.NewMemory(map[string]string{"/r/.git/HEAD": ""}))
		first, second := load(t, s), load(t, s)
		first.Log.Put(onceSeen("s1"))
		second.Log.Put(onceSeen("s2"))
		apply(t, s, Transaction{Log: first.Log})
		apply(t, s, Transaction{Log: second.Log})
		if o := load(t, s).Log.Get("obs_shared"); o.Status != observe.Ready || o.Observations != 2 {
			t.Errorf("%+v", o)
		}
	})
}

// A process that only reads may take its time: it reads the log as it was loaded, and
// writes nothing of what it read over what others wrote.
func TestALogIsReadAsItWasLoaded(t *testing.T) {
	root := t.TempDir()
	s := New(fsx.OS{}, Places{Root: root, Local: filepath.Join(root, ".git/lessons"), Shared: filepath.Join(root, ".git/lessons")})
	log := filepath.Join(s.Places.Shared, logName)
	if err := os.MkdirAll(s.Places.Shared, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, []byte(readyLine("obs_mine01", "Mine")), 0o644); err != nil {
		t.Fatal(err)
	}
	slow, fast := load(t, s), load(t, s)
	fast.Log.Put(&observe.Observation{ID: "obs_aaa001", Type: knowledge.Pitfall, Pattern: "Put in front", Observations: 1})
	fast.Log.Remove("obs_mine01")
	apply(t, s, Transaction{Log: fast.Log})

	if o := slow.Log.Get("obs_mine01"); o == nil || o.Pattern != "Mine" || slow.Log.Get("obs_aaa001") != nil {
		t.Errorf("the slow process reads %+v", o)
	}
	slow.Log.Put(&observe.Observation{ID: "obs_zzz001", Type: knowledge.Pitfall, Pattern: "Z", Observations: 1})
	apply(t, s, Transaction{Log: slow.Log})
	now := load(t, s)
	for _, id := range []string{"obs_mine01", "obs_aaa001", "obs_zzz001"} {
		if now.Log.Get(id) == nil {
			t.Errorf("%s is lost", id)
		}
	}
}
