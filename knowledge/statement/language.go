package statement

import (
	"cmp"
	_ "embed" // the files of the languages
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/phrases"
	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

// language is what is asked of sentences in one language. A pattern of which a language
// knows no phrases is nil, and matches nothing.
type language struct {
	common map[string]bool   // words that tell the language, and name nothing
	gaps   *strings.Replacer // puts blanks for them where none stand between words; else nil

	lead *automata.Pattern // what stands before the matter: greetings, assent, "from now on"

	// What makes a sentence none, whatever else it says.
	asks    *automata.Pattern // a question
	polite  *automata.Pattern // an order in the form of one
	wishes  *automata.Pattern // a wish, an hypothesis, a plan of the person's own
	reports *automata.Pattern // words of others, and how things are
	passing *automata.Pattern // for the moment only

	writes    *automata.Pattern // tells to write it down: "add this to CLAUDE.md"
	notes     *automata.Pattern // tells to keep it in mind: "remember that …"
	standing  *automata.Pattern // says that it holds for later
	duty      *automata.Pattern // says what must be, of everything of a kind
	later     forms             // say so too, in forms that take long to prepare
	universal forms             // say so of everything of a kind that it holds without an end
	definite  *automata.Pattern // speaks of one thing that both know
	article   *automata.Pattern // begins with the article of one thing that both know
	begins    *automata.Pattern // begins with one thing that both know, or with a person
	grounds   *automata.Pattern // groups: what is forbidden, the reason behind a comma or a dash
	habit     *automata.Pattern // says how "we" do things
	choice    *automata.Pattern // settles something
	holds     *automata.Pattern // goes by what is settled: "like the others", "of course"
	corrects  *automata.Pattern // sets right what was done
	turns     *automata.Pattern // doubts what was settled, turns from it, or excepts something
	recalls   *automata.Pattern // comes back to what was settled: "like everywhere", "as we said"
	settles   *automata.Pattern // the words of a choice that only announce it
	objects   *automata.Pattern // objects to what was done
	forbids   *automata.Pattern // says what must not be
	points    *automata.Pattern // means what only the conversation shows

	because *automata.Pattern // groups: the rule, the reason
	since   *automata.Pattern // groups: the reason, the rule
	aside   *automata.Pattern // groups: the choice, its reason behind a comma
	verb    *automata.Pattern // has a verb that tells how something is
	goesOn  *automata.Pattern // begins with what adds to a sentence, or with the next step
	apart   *automata.Pattern // puts one thing in place of another
	reason  *automata.Pattern // group: the reason, in a sentence of its own
	not     *automata.Pattern // group: what the rule turns down
	touch   *automata.Pattern // group: the files for which it holds

	// What is asked of files that tell agents what to do.
	order     *automata.Pattern // begins as an order does
	modal     *automata.Pattern // says what must be
	firmly    *automata.Pattern // always or never, wherever it stands
	contrast  *automata.Pattern // puts one thing in place of another, or excludes others
	past      *automata.Pattern // tells what was
	shows     *automata.Pattern // an order that tells how to run something
	occasion  *automata.Pattern // says when, or what not
	condition *automata.Pattern // what stands before an order: "when you add a route,"
	heads     *automata.Pattern // a heading of rules
	bars      *automata.Pattern // a heading of what must not be
	avoids    *automata.Pattern // turns down by itself: "avoid", "no"
	tells     *automata.Pattern // says how things are
	before    *automata.Pattern // means what the sentence before it is about
	steps     *automata.Pattern // a heading of a procedure
	never     string            // puts such a heading before an item
	empty     map[string]bool   // words of rules that hold for every project; nil: none are known

	handles *automata.Pattern // does something to "this"

	// What is asked of comments of reviewers.
	opens    *automata.Pattern // announces a rule: "rule of thumb:", "as agreed,"
	rules    *automata.Pattern // speaks of everything of a kind
	within   *automata.Pattern // says for which part of a repository it holds
	refers   *automata.Pattern // begins with what only the change shows
	retracts *automata.Pattern // takes back what was said, or says that it is not meant
}

// The files of the languages: a section stands for each field of [language].
var (
	//go:embed languages/english.txt
	english string
	//go:embed languages/german.txt
	german string
	//go:embed languages/spanish.txt
	spanish string
	//go:embed languages/chinese.txt
	chinese string
	//go:embed languages/japanese.txt
	japanese string
)

// Languages are prepared when a text in them is read.
var (
	inEnglish  = sync.OnceValue(func() *language { return readLanguage(english) })
	inGerman   = sync.OnceValue(func() *language { return readLanguage(german) })
	inSpanish  = sync.OnceValue(func() *language { return readLanguage(spanish) })
	inChinese  = sync.OnceValue(func() *language { return readLanguage(chinese).dense() })
	inJapanese = sync.OnceValue(func() *language { return readLanguage(japanese).dense() })
)

func readLanguage(text string) *language {
	f := phrases.Must(text)
	return &language{
		common: f.Section("common").Words(), empty: f.Section("empty").Words(), never: f.Section("never").Expr(),
		later: formsOf(f.Sections("later")), universal: formsOf(f.Sections("universal")),
		lead: f.Optional("lead"), asks: f.Optional("asks"), polite: f.Optional("polite"), wishes: f.Optional("wishes"),
		reports: f.Optional("reports"), passing: f.Optional("passing"), writes: f.Optional("writes"),
		notes: f.Optional("notes"), standing: f.Optional("standing"), duty: f.Optional("duty"),
		definite: f.Optional("definite"), article: f.Optional("article"), begins: f.Optional("begins"),
		grounds: f.Optional("grounds"), habit: f.Optional("habit"), choice: f.Optional("choice"),
		holds: f.Optional("holds"), corrects: f.Optional("corrects"), turns: f.Optional("turns"),
		recalls: f.Optional("recalls"), settles: f.Optional("settles"), objects: f.Optional("objects"),
		forbids: f.Optional("forbids"), points: f.Optional("points"), because: f.Optional("because"),
		since: f.Optional("since"), aside: f.Optional("aside"), verb: f.Optional("verb"), goesOn: f.Optional("goesOn"),
		apart: f.Optional("apart"), reason: f.Optional("reason"), not: f.Optional("not"), touch: f.Optional("touch"),
		order: f.Optional("order"), modal: f.Optional("modal"), firmly: f.Optional("firmly"),
		contrast: f.Optional("contrast"), past: f.Optional("past"), shows: f.Optional("shows"),
		occasion: f.Optional("occasion"), condition: f.Optional("condition"), heads: f.Optional("heads"),
		bars: f.Optional("bars"), avoids: f.Optional("avoids"), tells: f.Optional("tells"),
		before: f.Optional("before"), steps: f.Optional("steps"), handles: f.Optional("handles"),
		opens: f.Optional("opens"), rules: f.Optional("rules"), within: f.Optional("within"),
		refers: f.Optional("refers"), retracts: f.Optional("retracts"),
	}
}

// dense makes of a language one that is written without blanks between words.
func (l *language) dense() *language {
	var gaps []string
	longest := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	for _, w := range slices.SortedFunc(maps.Keys(l.common), longest) {
		gaps = append(gaps, w, " ")
	}
	l.gaps = strings.NewReplacer(gaps...)
	return l
}

// languageOf tells the language by the script, and of Latin ones by the words that
// each has most often.
func languageOf(text string) *language {
	han, kana := 0, 0
	for _, r := range text {
		switch {
		case !weigh.IsDense(r):
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Han, r):
			han++
		}
	}
	switch words := len(strings.Fields(text)); {
	case kana > 0 && 2*(kana+han) >= words:
		return inJapanese()
	case han > 0 && 2*han >= words:
		return inChinese()
	}
	latin := [...]*language{inEnglish(), inGerman(), inSpanish()}
	var common [len(latin)]int
	for w := range wordsOf(text) {
		for i, l := range latin {
			if l.common[w] {
				common[i]++
			}
		}
	}
	best := 0
	for i, n := range common {
		if n > common[best] {
			best = i
		}
	}
	return latin[best]
}

// Common says whether a word names nothing in any of the languages with spaces.
func Common(word string) bool { return commonWords()[word] }

var commonWords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, l := range []*language{inEnglish(), inGerman(), inSpanish()} {
		maps.Copy(all, l.common)
	}
	return all
})
