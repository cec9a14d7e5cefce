package project_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// largeObjects is a repository whose objects are too large to be read.
type largeObjects struct{ gitstate.Repository }

func (l largeObjects) Objects(ctx context.Context, names []string, content bool) ([]gitstate.Object, error) {
	objects, err := l.Repository.Objects(ctx, names, content)
	for i := range objects {
		objects[i].Data = nil
	}
	return objects, err
}

// Versions that are too large to be read from the index are no empty ones.
func TestResolveMergesALogTooLargeForTheIndex(t *testing.T) {
	r := gittest.New(t)
	log := func(ids ...string) string {
		var lines strings.Builder
		for _, id := range ids {
			fmt.Fprintf(&lines, `{"id":%q,"type":"pitfall","pattern":"about %s","observations":1}`+"\n", id, id)
		}
		return lines.String()
	}
	r.Write(observe.LogPath, log("obs_a"))
	r.Commit("base")
	r.Git("switch", "-q", "-c", "other")
	r.Write(observe.LogPath, log("obs_a", "obs_theirs"))
	r.Commit("theirs")
	r.Git("switch", "-q", "-")
	r.Write(observe.LogPath, log("obs_a", "obs_ours"))
	r.Commit("ours")
	if _, err := r.TryGit("merge", "other"); err == nil {
		t.Fatal("no conflict")
	}
	p := openProject(t, r.Dir, later)
	p.Git = largeObjects{p.Git}
	if _, err := p.Resolve(t.Context(), project.ResolveOptions{}); err != nil {
		t.Fatal(err)
	}
	text := r.Read(observe.LogPath)
	for _, want := range []string{"obs_a", "obs_ours", "obs_theirs"} {
		if strings.Count(text, `"id":"`+want+`"`) != 1 {
			t.Errorf("%s is not in it once:\n%s", want, text)
		}
	}
	if strings.Contains(text, "<<<<<<<") {
		t.Error("a conflict is left")
	}
}
