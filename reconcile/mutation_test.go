package reconcile

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// maimed is a repository that keeps one fact back.
type maimed struct {
	gitstate.Repository
	operation func() (string, error)
	index     func(gitstate.IndexEntry) gitstate.IndexEntry
	log       func(gitstate.Walk, []gitstate.Commit) []gitstate.Commit
	objects   func([]gitstate.Object)
	ignored   func(map[string]bool)
	reach     func(map[string]gitstate.Reach)
}

func (m maimed) Operation() (string, error) {
	if m.operation != nil {
		return m.operation()
	}
	return m.Repository.Operation()
}

func (m maimed) Index(ctx context.Context, folders []string) ([]gitstate.IndexEntry, error) {
	entries, err := m.Repository.Index(ctx, folders)
	for i := range entries {
		if m.index != nil {
			entries[i] = m.index(entries[i])
		}
	}
	return entries, err
}

func (m maimed) Log(ctx context.Context, w gitstate.Walk) ([]gitstate.Commit, error) {
	commits, err := m.Repository.Log(ctx, w)
	if m.log != nil {
		commits = m.log(w, commits)
	}
	return commits, err
}

func (m maimed) Objects(ctx context.Context, names []string, contents bool) ([]gitstate.Object, error) {
	objects, err := m.Repository.Objects(ctx, names, contents)
	if m.objects != nil {
		m.objects(objects)
	}
	return objects, err
}

func (m maimed) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	ignored, err := m.Repository.Ignored(ctx, paths)
	if m.ignored != nil {
		m.ignored(ignored)
	}
	return ignored, err
}

func (m maimed) Reach(ctx context.Context, commits []string) (map[string]gitstate.Reach, error) {
	reach, err := m.Repository.Reach(ctx, commits)
	if m.reach != nil {
		m.reach(reach)
	}
	return reach, err
}

func withoutMerges(_ gitstate.Walk, commits []gitstate.Commit) []gitstate.Commit {
	return slices.DeleteFunc(slices.Clone(commits), func(c gitstate.Commit) bool { return len(c.Parents) > 1 })
}

// simplified asks git for the history that plain "log -- path" shows.
func simplified(t testing.TB, r gitstate.Repository) func(gitstate.Walk, []gitstate.Commit) []gitstate.Commit {
	git := gittest.At(t, r.Location().TopLevel)
	return func(w gitstate.Walk, commits []gitstate.Commit) []gitstate.Commit {
		args := []string{"log", "--topo-order", "--format=%H"}
		if !w.Since.IsZero() {
			args = append(args, "--since="+w.Since.UTC().Format(time.RFC3339))
		}
		switch {
		case w.All:
			args = append(args, "--all")
		case w.Reflog:
			args = append(args, "--reflog")
		}
		out, err := git.TryGit(append(append(args, "--"), w.Paths...)...)
		if err != nil {
			return nil
		}
		shown := strings.Fields(out)
		return slices.DeleteFunc(withoutMerges(w, commits), func(c gitstate.Commit) bool { return !slices.Contains(shown, c.OID) })
	}
}

// nothingFor empties the walks that a condition names.
func nothingFor(condition func(gitstate.Walk) bool) func(gitstate.Repository) gitstate.Repository {
	return func(r gitstate.Repository) gitstate.Repository {
		return maimed{Repository: r, log: func(w gitstate.Walk, commits []gitstate.Commit) []gitstate.Commit {
			if condition(w) {
				return nil
			}
			return commits
		}}
	}
}

// TestEachFactIsNeeded takes one fact away at a time and expects the cases that
// rest on it to fail (section 8 of the procedure).
func TestEachFactIsNeeded(t *testing.T) {
	for _, m := range []struct {
		name   string
		fails  []string
		mutant func(testing.TB) mutant
	}{
		{"without_diffs_of_merges", []string{"45"}, repository(func(r gitstate.Repository) gitstate.Repository {
			return maimed{Repository: r, log: withoutMerges}
		})},
		{"without_diffs_of_merges_and_full_history", []string{"19", "21", "44", "45"}, func(t testing.TB) mutant {
			return mutant{repository: func(r gitstate.Repository) gitstate.Repository {
				return maimed{Repository: r, log: simplified(t, r)}
			}}
		}},
		{"without_the_unbounded_second_pass", []string{"62"}, repository(nothingFor(func(w gitstate.Walk) bool {
			return !w.All && !w.Reflog && w.Since.IsZero() && !slices.Contains(w.Paths, manifest.Path)
		}))},
		{"without_all_refs", []string{"14", "19", "42", "73"}, repository(nothingFor(func(w gitstate.Walk) bool { return w.All }))},
		{"without_reflogs", []string{"15", "75"}, repository(nothingFor(func(w gitstate.Walk) bool { return w.Reflog }))},
		{"without_the_skip_worktree_tag", []string{"16", "17"}, repository(func(r gitstate.Repository) gitstate.Repository {
			return maimed{Repository: r, index: func(e gitstate.IndexEntry) gitstate.IndexEntry { e.Skip = false; return e }}
		})},
		{"without_the_lower_case_tag", []string{"17"}, repository(func(r gitstate.Repository) gitstate.Repository {
			return maimed{Repository: r, index: func(e gitstate.IndexEntry) gitstate.IndexEntry { e.Assume = false; return e }}
		})},
		{"without_operations_in_progress", []string{"20"}, repository(func(r gitstate.Repository) gitstate.Repository {
			return maimed{Repository: r, operation: func() (string, error) { return "", nil }}
		})},
		{"without_ancestry_before_undoing", []string{"30", "33", "34", "35", "72"}, repository(func(r gitstate.Repository) gitstate.Repository {
			return maimed{Repository: r, reach: func(reach map[string]gitstate.Reach) {
				for c := range reach {
					reach[c] = gitstate.BehindHead
				}
			}}
		})},
		{"without_the_marker_in_the_old_blob", []string{"61"}, repository(func(r gitstate.Repository) gitstate.Repository {
			return maimed{Repository: r, objects: func(objects []gitstate.Object) {
				for i, o := range objects {
					if isObjectID(o.Name) {
						objects[i] = gitstate.Object{Name: o.Name, Missing: true}
					}
				}
			}}
		})},
		{"without_ignore_rules", []string{"47"}, repository(func(r gitstate.Repository) gitstate.Repository {
			return maimed{Repository: r, ignored: func(ignored map[string]bool) { clear(ignored) }}
		})},
		{"without_the_mass_rule", []string{"15", "19", "49", "53"}, func(testing.TB) mutant {
			return mutant{report: asIfNothingWereCleaned}
		}},
		{"without_the_list_of_copies", []string{"69"}, func(testing.TB) mutant { return mutant{withoutCopies: true} }},
	} {
		for _, number := range m.fails {
			t.Run(m.name+"/"+number, func(t *testing.T) {
				t.Parallel()
				for _, c := range scenarios() {
					if c.number() != number {
						continue
					}
					s := &scene{t: t, layout: "book", mutant: m.mutant(t)}
					c.play(s)
					if len(s.failed) == 0 {
						t.Errorf("case %s passes %s: what does it test?", c.name, strings.ReplaceAll(m.name, "_", " "))
					}
				}
			})
		}
	}
}

// asIfNothingWereCleaned gives the answers that stand without steps 4.11 and 4.12.
func asIfNothingWereCleaned(r *Report) {
	for i := range r.Items {
		if item := &r.Items[i]; item.Reason == reasonClean || item.Answer == Lost && slices.Contains(item.Facts, "seen") {
			item.Answer, item.How = Gone, HowUncommitted
		}
	}
}

func repository(f func(gitstate.Repository) gitstate.Repository) func(testing.TB) mutant {
	return func(testing.TB) mutant { return mutant{repository: f} }
}
