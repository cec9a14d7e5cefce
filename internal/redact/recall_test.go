package redact

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// What must be reached on fresh secrets and on what only looks like one.
const (
	leastRecall = 0.90 // of all; of those with a fixed beginning: all
	mostAlarms  = 0.01
)

// rate counts, by group.
type rate map[string][2]int

func (r rate) count(group string, yes bool) {
	n := r[group]
	n[1]++
	if yes {
		n[0]++
	}
	r[group] = n
}

// worst lists the groups with the lowest share first.
func (r rate) worst(limit int) string {
	groups := slices.Collect(maps.Keys(r))
	slices.SortFunc(groups, func(a, b string) int {
		return cmp.Or(cmp.Compare(r[a][0]*r[b][1], r[b][0]*r[a][1]), cmp.Compare(a, b))
	})
	var out strings.Builder
	for _, g := range groups[:min(limit, len(groups))] {
		fmt.Fprintf(&out, "  %-40s %4d/%-4d\n", g, r[g][0], r[g][1])
	}
	return out.String()
}

func (r rate) total() (n, of int) {
	for _, c := range r {
		n, of = n+c[0], of+c[1]
	}
	return n, of
}

func TestFreshSecretsAreRedacted(t *testing.T) {
	r := dice(t, "recall")
	families, places := rate{}, rate{}
	for _, s := range samples(r, 8) {
		got := you.Text(s.text).String()
		left := survives(got, s.secret)
		families.count(s.family.name, left == "")
		places.count(s.context, left == "")
		if left == "" {
			continue
		}
		if s.family.fixed {
			t.Errorf("%v\ngives %q", s, got)
		} else {
			t.Logf("%v\ngives %q", s, got)
		}
	}
	n, of := families.total()
	t.Logf("%d of %d secrets are gone: %.3f\nby family:\n%sby place:\n%s", n, of, float64(n)/float64(of), families.worst(12), places.worst(12))
	if float64(n) < leastRecall*float64(of) {
		t.Errorf("recall %.3f, must be %.2f", float64(n)/float64(of), leastRecall)
	}
}

func TestFreshPrivateKeysAreRedacted(t *testing.T) {
	r := dice(t, "keys")
	for range 60 {
		key, body := armoured(r)
		for name, text := range map[string]string{
			"file":     key,
			"prose":    "it is\n" + key + "there",
			"JSON":     `{"private_key":"` + escapedJSON(key) + `","b":1}`,
			"JSON²":    `"{\"private_key\":\"` + twiceEscaped(key) + `\"}"`,
			"YAML":     "key: |\n  " + strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n  ") + "\nb: 1",
			"echo":     `echo "` + key + `" > x.pem`,
			"diff":     "+" + strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n+"),
			"numbered": "     1\t" + strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n     2\t"),
			"arrows":   "     1→" + strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n     2→"),
			"code":     `k := "` + strings.ReplaceAll(strings.TrimSpace(key), "\n", "\\n\" +\n\t\"") + `"`,
			"quoted":   "> " + strings.ReplaceAll(strings.TrimSpace(key), "\n", "\n> "),
			"CRLF":     strings.ReplaceAll(key, "\n", "\r\n"),
			"cut":      key[:len(key)/2],
			"env":      "KEY='" + strings.ReplaceAll(key, "\n", `\n`) + "'",
		} {
			got := you.Text(text).String()
			for _, line := range body {
				if left := survives(got, line); left != "" {
					t.Fatalf("%s keeps %q in\n%s", name, left, got)
				}
			}
		}
	}
}
