package artifact

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// slowClock is a file system that counts time in steps of two seconds, as the coarsest do.
type slowClock struct {
	fsx.OS
	now     time.Duration
	changed map[string]time.Duration
	reads   int
}

var epoch = time.Unix(1_700_000_000, 0)

func (c *slowClock) began() time.Time { return epoch.Add(c.now) }

func (c *slowClock) ReadFile(name string) ([]byte, error) {
	c.reads++
	return c.OS.ReadFile(name)
}

func (c *slowClock) Lstat(name string) (fs.FileInfo, error) {
	info, err := c.OS.Lstat(name)
	if err != nil {
		return nil, err
	}
	stat := *info.Sys().(*syscall.Stat_t)
	at := epoch.Add(c.changed[name].Truncate(2 * time.Second))
	stat.Ctim = syscall.NsecToTimespec(at.UnixNano())
	return slowInfo{info, at, &stat}, nil
}

type slowInfo struct {
	fs.FileInfo
	at   time.Time
	stat *syscall.Stat_t
}

func (i slowInfo) ModTime() time.Time { return i.at }
func (i slowInfo) Sys() any           { return i.stat }

// cachedTree is a work tree whose lessons people edit.
type cachedTree struct {
	t     *testing.T
	root  string
	clock *slowClock
}

func newCachedTree(t *testing.T) *cachedTree {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".lessons"), 0o755); err != nil {
		t.Fatal(err)
	}
	return &cachedTree{t, root, &slowClock{changed: map[string]time.Duration{}}}
}

func (c *cachedTree) name(i int) string {
	return filepath.Join(c.root, ".lessons", fmt.Sprintf("lesson-%d.md", i))
}

// put writes a lesson in place: it stays the same file.
func (c *cachedTree) put(i int, text string) {
	if err := os.WriteFile(c.name(i), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
	c.clock.changed[c.name(i)] = c.clock.now
}

func (c *cachedTree) read(cache Cache) Found { return ReadWith(c.clock, c.root, cache) }

// fits compares what is found with a cache and without.
func (c *cachedTree) fits(cache Cache) []byte {
	c.t.Helper()
	with, without := c.read(cache), c.read(Cache{})
	renewed := with.Cache
	with.Cache = nil
	if !reflect.DeepEqual(with, without) {
		c.t.Fatalf("with the cache:\n%+v\nwithout:\n%+v", with, without)
	}
	return renewed
}

const fullLesson = `---
id: 01M7YN1AEC0000000000000001
kind: checklist
priority: high
status: active
confidence: 0.9
action: deny
triggers: {tools: [Bash], commands: ["make deploy"], unless: [], paths: ["**/*.go"]}
examples: {match: ["make deploy"], miss: [make]}
tags: ["tool:make"]
source: self-learning:obs_one
created: 2026-01-01
seen: {sessions: 2, first: 2026-01-01, last: 2026-01-02T10:00:00Z, hashes: [b, a], against: [c]}
quotes: ["so it is"]
require:
  passed: [make test]
mine: {a: 1}
---
# Deploy number %d

Look first.
`

// randomLesson is one of texts that are mostly of the same length.
func randomLesson(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return "---\nstatus: [\n---\n# Broken\n"
	case 1:
		return "# Without front matter\n"
	case 2:
		return ""
	case 3:
		return "---\n---\n"
	case 4:
		return fmt.Sprintf("---\nstatus: draft\n---\n# Lesson %d\n", r.IntN(10))
	}
	return fmt.Sprintf(fullLesson, r.IntN(10))
}

// Whatever people do to the files, and whatever became of the cache, a run finds the same as
// one that has no cache.
func TestCacheNeverChangesWhatIsFound(t *testing.T) {
	defer func(n int) { worthCaching = n }(worthCaching)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		worthCaching = 1 + r.IntN(3)
		c := newCachedTree(t)
		caches := [][]byte{nil}
		for range 60 {
			c.clock.now += time.Duration(r.IntN(1500)) * time.Millisecond
			for range r.IntN(3) {
				switch i := r.IntN(8); r.IntN(6) {
				case 0:
					_ = os.Remove(c.name(i))
				case 1: // one takes the place of another
					other := r.IntN(8)
					if os.Rename(c.name(i), c.name(other)) == nil {
						c.clock.changed[c.name(other)] = c.clock.now
					}
				default:
					c.put(i, randomLesson(r))
				}
			}
			cache := Cache{Program: "one", Began: c.clock.began(), Data: caches[len(caches)-1]}
			switch r.IntN(8) {
			case 0: // of a run that ended long ago
				cache.Data = caches[r.IntN(len(caches))]
			case 1: // torn
				cache.Data = cache.Data[:r.IntN(len(cache.Data)+1)]
			case 2: // damaged
				cache.Data = bytes.Clone(cache.Data)
				if len(cache.Data) > 0 {
					cache.Data[r.IntN(len(cache.Data))] ^= 1 << r.IntN(8)
				}
			case 3:
				cache.Program = "another"
			}
			if r.IntN(3) == 0 {
				c.clock.now += 5 * time.Second
				cache.Began = c.clock.began()
			}
			if renewed := c.fits(cache); renewed != nil {
				caches = append(caches, renewed)
			}
		}
		if len(caches) < 3 {
			t.Errorf("seed %d: nothing was cached", seed)
		}
	}
}

func TestCacheSparesReadingAndParsing(t *testing.T) {
	c := newCachedTree(t)
	for i := range worthCaching {
		c.put(i, fmt.Sprintf(fullLesson, i))
	}
	c.clock.now = 10 * time.Second
	cache := Cache{Program: "one", Began: c.clock.began()}
	if cache.Data = c.read(cache).Cache; cache.Data == nil {
		t.Fatal("nothing is cached")
	}
	c.clock.reads = 0
	found := c.read(cache)
	if c.clock.reads > 0 || len(found.Lessons) != worthCaching || found.Cache != nil {
		t.Errorf("read %d files, found %d lessons; a new cache: %v", c.clock.reads, len(found.Lessons), found.Cache != nil)
	}
	c.put(0, fmt.Sprintf(fullLesson, 1))
	if c.read(cache); c.clock.reads != 1 {
		t.Errorf("read %d files after one edit", c.clock.reads)
	}
	c.clock.now = 20 * time.Second
	cache.Program, cache.Began, c.clock.reads = "another", c.clock.began(), 0
	if c.read(cache).Cache == nil || c.clock.reads != worthCaching {
		t.Errorf("another program read %d files", c.clock.reads)
	}
}

// A file that changed just now may change again without a trace, and one that is gone never
// changes.
func TestCacheHoldsWhatWillTellItsNextChange(t *testing.T) {
	c := newCachedTree(t)
	for i := range worthCaching {
		c.put(i, fmt.Sprintf(fullLesson, 1))
	}
	c.clock.now = time.Second
	if c.read(Cache{Program: "one", Began: c.clock.began()}).Cache != nil {
		t.Error("cached what changed a second ago")
	}
	c.clock.now = 10 * time.Second
	if c.read(Cache{Began: c.clock.began()}).Cache != nil {
		t.Error("cached for a program that nobody knows")
	}
	cache := Cache{Program: "one", Began: c.clock.began()}
	cache.Data = c.read(cache).Cache
	for i := range worthCaching {
		_ = os.Remove(c.name(i))
	}
	if cache.Data = c.read(cache).Cache; cache.Data == nil || len(cache.lessons()) > 0 {
		t.Error("what is gone stays cached")
	}
}
