package lesson

import (
	"cmp"
	"slices"
)

// Together returns one lesson for the files of each id, in the order of their
// paths, joined as [Merge] joins two clones' versions of one file. Where a file is
// trusted, those that are not say nothing.
func Together(lessons []*Lesson, trusted func(*Lesson) bool) []*Lesson {
	files := map[string][]*Lesson{}
	for _, l := range lessons {
		files[l.ID] = append(files[l.ID], l)
	}
	var all []*Lesson
	for _, l := range lessons {
		same := files[l.ID]
		if l.ID == "" || len(same) == 1 {
			all = append(all, l)
			continue
		}
		delete(files, l.ID)
		if len(same) > 0 {
			all = append(all, together(same, trusted))
		}
	}
	slices.SortStableFunc(all, func(a, b *Lesson) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

func together(same []*Lesson, trusted func(*Lesson) bool) *Lesson {
	if slices.ContainsFunc(same, trusted) {
		same = slices.DeleteFunc(slices.Clone(same), func(l *Lesson) bool { return !trusted(l) })
	}
	one := same[0]
	for _, l := range same[1:] {
		joined, err := join(nil, one, l)
		if err != nil { // two people reworded it: the first one's words, the evidence of both
			first := *one
			joined, first.Seen = &first, one.Seen.Join(l.Seen)
		}
		one = joined
	}
	return one
}
