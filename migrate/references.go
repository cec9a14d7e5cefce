package migrate

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// references maps what things call each other to their entries: a path, a path's
// folder with a number, and the bare names where only one thing has them. A name
// of two things is mapped to nothing.
type references map[string]string

func (r references) add(t Thing, anchor string) {
	dir := path.Dir(t.Source.Path)
	for _, name := range t.Names {
		r.name(dir+"/"+name, anchor)
		r.name(name, anchor)
	}
}

func (r references) name(name, anchor string) {
	if old, ok := r[name]; ok && old != anchor {
		anchor = ""
	}
	r[name] = anchor
}

// of returns the entry of a name that stands in a file.
func (r references) of(name string, from Source) string {
	if anchor := r[path.Join(path.Dir(from.Path), name)]; anchor != "" {
		return anchor
	}
	return r[path.Base(name)]
}

var markdownLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[([^\[\]]*)\]\(<?([^()\s<>]+)>?(?:\s+"[^"]*")?\)`)
})

// rewrite puts the new names of entries in place of links and of numbers of the
// other tool. A number of which nobody knows the entry loses its dash: it must
// not be taken for one of this repository.
func (r references) rewrite(text string, from Source) string {
	if !strings.Contains(text, "](") && !strings.Contains(text, "ADR-") && !strings.Contains(text, "PF-") {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range markdownLink().FindAllStringSubmatchIndex(text, -1) {
		label, target := text[m[2]:m[3]], text[m[4]:m[5]]
		target, _, _ = strings.Cut(target, "#")
		anchor := ""
		if target != "" && !strings.Contains(target, "://") {
			anchor = r.of(target, from)
		}
		if anchor == "" {
			continue
		}
		b.WriteString(r.numbers(text[at:m[0]], from))
		b.WriteString(anchor)
		label = strings.TrimSpace(label)
		if m := adrTitle().FindString(label); m != "" {
			label = label[len(m):]
		}
		if _, _, ok := entry.ParseID(label); !ok && label != "" {
			b.WriteString(" (" + r.numbers(label, from) + ")")
		}
		at = m[1]
	}
	return b.String() + r.numbers(text[at:], from)
}

// numbers rewrites citations by number.
func (r references) numbers(text string, from Source) string {
	for _, c := range slices.Backward(entry.Citations(text)) {
		kind, n, _ := entry.ParseID(c.ID)
		anchor := r.of(plainNumber(kind, n), from)
		if anchor == "" {
			anchor = strings.Replace(text[c.Offset:c.Offset+c.Length], "-", " ", 1)
		}
		text = text[:c.Offset] + anchor + text[c.Offset+c.Length:]
	}
	return text
}

// plainNumber is how a thing's own number stands among its names: "ADR-5".
func plainNumber(kind knowledge.Kind, number int) string {
	prefix := "ADR-"
	if kind == knowledge.KindPF {
		prefix = "PF-"
	}
	return prefix + strconv.Itoa(number)
}
