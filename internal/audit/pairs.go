package audit

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/lessons-cli/lessons/internal/automata"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// said is a line as it is held against others.
type said struct {
	line
	words map[string]bool // stems of what it is about, and what stands between backticks
	yes   string          // its clauses that do not turn down
	no    string          // those that do
}

// describes matches what says what a command or a file is for: a rule may name it again.
var describes = automata.Lazily("^`[^`]+`(?: \\([^)]*\\))? [-–—] ")

var (
	clauses  = automata.Lazily(`(?:[;:,—–]|\. |\band\b|\bbut\b|\binstead of\b|\brather than\b)\s*`)
	negation = automata.Lazily(`(?i)\b(?:not|never|no|don'?t|doesn'?t|isn'?t|aren'?t|mustn'?t|can'?t|cannot|avoid|without|nobody|none|nor|unwanted|stop|forbidden)\b|n't\b`)
	turning  = automata.Lazily(`(?i)^\s*(?:instead of|rather than)\b`)
)

func newSaid(l line) said {
	s := said{line: l, words: map[string]bool{}}
	about := codeSpan().ReplaceAllString(l.text, " ")
	for _, span := range l.spans() {
		span = strings.TrimSuffix(strings.TrimSuffix(span, "()"), "/")
		s.words["`"+span] = true // as a whole, and by what it says
		if strings.Contains(span, "/") && pathLike().MatchString(span) {
			span = path.Base(span)
		}
		about += " " + span
	}
	for _, stem := range statement.Topic(pieces(about)) {
		if stem = strings.TrimPrefix(stem, "-"); len(stem) > 1 && stem != statement.Recall {
			s.words[stem] = true
		}
	}
	at := 0
	for _, cut := range append(clauses().FindAllStringIndex(l.text, -1), []int{len(l.text), len(l.text)}) {
		clause := l.text[at:cut[0]]
		if negation().MatchString(clause) || at > 0 && turning().MatchString(l.text[strings.LastIndex(l.text[:at], " ")+1:]) {
			s.no += " " + clause + " ."
		} else {
			s.yes += " " + clause + " ."
		}
		at = cut[1]
		if turning().MatchString(l.text[cut[0]:]) {
			s.no += " "
		}
	}
	return s
}

var camel = automata.Lazily(`([a-z0-9])([A-Z])`)

// pieces is a text in which names of code are divided into their words.
func pieces(text string) string {
	text = camel().ReplaceAllString(text, "$1 $2")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("`/._()[]{}<>*#=:|\"-", r) {
			return ' '
		}
		return r
	}, strings.ToLower(text))
}

// likeness is what two lines must share to say the same: of what the shorter is about, of
// what both are about, and how many words.
type likeness struct {
	shorter, either float64
	words           int
}

// Lines that name the same thing of code may put it in other words.
var (
	sameWords = likeness{0.62, 0.42, 3}
	sameName  = likeness{0.5, 0.28, 4}
)

// sameSubject is the share of what the shorter of two lines is about from which both are
// about one thing.
const sameSubject = 0.12

func (k likeness) holds(both, shorter, either float64, n int) bool {
	return both/shorter >= k.shorter && both/either >= k.either && n >= k.words
}

// longest is how many words a line has at most that is held against others: longer ones
// describe.
const longest = 32

// pairs finds lines that say what another one says, or the contrary.
func pairs(lines []line) []knowledge.Problem {
	var all []said
	count := map[string]int{}
	for _, l := range lines {
		if n := statement.CountWords(l.text); !l.states || n < 3 || n > longest || describes().MatchString(l.text) {
			continue
		}
		s := newSaid(l)
		for w := range s.words {
			count[w]++
		}
		all = append(all, s)
	}
	weight := func(w string) float64 { return math.Log(1 + float64(len(all))/float64(count[w])) }
	var found []knowledge.Problem
	for i, a := range all {
		for _, b := range all[:i] {
			if !together(a.scope, b.scope) || a.file == b.file && a.number == b.number {
				continue
			}
			both, of, either, n := overlap(a.words, b.words, weight)
			one, other := contradicts(a, b, both/of)
			switch {
			case one != "":
				found = append(found, a.problem(Contradiction, "%s:%d says otherwise: %s here, %s there", b.file, b.number, one, other))
			case (n > sameWords.words || shareName(a, b)) && sameWords.holds(both, of, either, n), shareName(a, b) && sameName.holds(both, of, either, n):
				found = append(found, a.problem(Duplicate, "%s:%d says the same: %s", b.file, b.number, prose.Shorten(b.text, 80)))
			}
		}
	}
	return found
}

// shareName says whether both lines have the same between backticks, but for paths.
func shareName(a, b said) bool {
	for w := range a.words {
		name, code := strings.CutPrefix(w, "`")
		if code && b.words[w] && !(strings.Contains(name, "/") && pathLike().MatchString(name)) {
			return true
		}
	}
	return false
}

// overlap weighs the words that two lines share, those of the shorter, and those of both.
func overlap(a, b map[string]bool, weight func(string) float64) (both, shorter, either float64, n int) {
	var inA, inB float64
	for w := range a {
		inA += weight(w)
		if b[w] {
			both += weight(w)
			n++
		}
	}
	for w := range b {
		inB += weight(w)
	}
	return both, max(min(inA, inB), 1e-9), inA + inB - both, n
}

// together says whether there may be a file for which both scopes hold.
func together(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool {
			return x == y || doublestar.MatchUnvalidated(x, fixed(y)) || doublestar.MatchUnvalidated(y, fixed(x))
		})
	})
}

// fixed is a path that a glob matches.
func fixed(glob string) string {
	return strings.ReplaceAll(strings.ReplaceAll(glob, "**", "x"), "*", "x")
}

// contradicts names the two ways of which each line wants another.
func contradicts(a, b said, shared float64) (one, other string) {
	for _, r := range rivalries() {
		for i, x := range r.ways {
			for j, y := range r.ways {
				if i == j || !x.MatchString(a.yes) || !y.MatchString(b.yes) || y.MatchString(a.yes) || x.MatchString(b.yes) {
					continue
				}
				firmly := x.MatchString(b.no) || y.MatchString(a.no)
				if r.everywhere && (firmly || firm().MatchString(a.text) || firm().MatchString(b.text)) || shared >= sameSubject && subject(a, b, x, y) && (firmly || !r.everywhere) {
					return strings.TrimSpace(x.FindString(a.yes)), strings.TrimSpace(y.FindString(b.yes))
				}
			}
		}
	}
	return "", ""
}

// firm matches lines that leave no other way.
var firm = automata.Lazily(`(?i)\b(?:only|never|always|must|everywhere|nothing else|is our|is the)\b`)

// subject says whether two lines are about one thing beside the ways that they name.
func subject(a, b said, ways ...*regexp.Regexp) bool {
	for w := range a.words {
		if b.words[w] && len(w) > 2 && !slices.ContainsFunc(ways, func(way *regexp.Regexp) bool { return way.MatchString(w) }) {
			return true
		}
	}
	return false
}
