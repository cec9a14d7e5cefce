package entry

import "slices"

// mergeOrder puts the wanted keys in an order that keeps what the sequences
// agree on. It treats the sequences alike, so their order does not matter: of
// keys that nothing separates the lesser by less comes first, also where the
// sequences contradict each other.
func mergeOrder(wanted map[string]bool, less func(a, b string) int, sequences ...[]string) []string {
	before := map[string]map[string]bool{} // key → keys that precede it
	for key := range wanted {
		before[key] = map[string]bool{}
	}
	for _, sequence := range sequences {
		last := ""
		for _, key := range sequence {
			if !wanted[key] {
				continue
			}
			if last != "" && last != key && !before[last][key] {
				before[key][last] = true
			}
			last = key
		}
	}
	var order []string
	for len(before) > 0 {
		order = append(order, nextKey(before, less))
		done := order[len(order)-1]
		delete(before, done)
		for _, preceding := range before {
			delete(preceding, done)
		}
	}
	return order
}

// nextKey is the least key that nothing precedes, or, in a circle, the least of
// all.
func nextKey(before map[string]map[string]bool, less func(a, b string) int) string {
	var free, all []string
	for key, preceding := range before {
		all = append(all, key)
		if len(preceding) == 0 {
			free = append(free, key)
		}
	}
	if len(free) == 0 {
		free = all
	}
	return slices.MinFunc(free, less)
}

// merged3 is the three-way merge of a set: what both sides have, and what one
// side has and the base had not. Without a base it is the union.
func merged3[K comparable](base, ours, theirs map[K]bool) map[K]bool {
	all := map[K]bool{}
	for k := range ours {
		if theirs[k] || !base[k] {
			all[k] = true
		}
	}
	for k := range theirs {
		if !base[k] {
			all[k] = true
		}
	}
	return all
}
