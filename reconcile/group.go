package reconcile

import (
	"path"
	"slices"
	"strings"
)

// Group is several artifacts that one act removed: a folder that was deleted is
// one verdict to read, not forty.
type Group struct {
	Folder string // deepest folder that holds them all; "." for the top
	How    string
	Commit string
	Items  []Item
}

// Groups collects the items that went together, two or more at a time.
func (r Report) Groups() []Group {
	type act struct{ how, commit string }
	var order []act
	together := map[act][]Item{}
	for _, item := range r.Items {
		if item.Answer != Gone || item.How == HowTombstone {
			continue
		}
		a := act{item.How, item.Commit}
		if together[a] == nil {
			order = append(order, a)
		}
		together[a] = append(together[a], item)
	}
	var groups []Group
	for _, a := range order {
		if items := together[a]; len(items) > 1 {
			groups = append(groups, Group{Folder: commonFolder(items), How: a.how, Commit: a.commit, Items: items})
		}
	}
	return groups
}

func commonFolder(items []Item) string {
	common := strings.Split(path.Dir(items[0].Path), "/")
	for _, item := range items[1:] {
		dirs := strings.Split(path.Dir(item.Path), "/")
		n := 0
		for n < min(len(common), len(dirs)) && common[n] == dirs[n] {
			n++
		}
		common = slices.Clone(common[:n])
	}
	if len(common) == 0 {
		return "."
	}
	return strings.Join(common, "/")
}
