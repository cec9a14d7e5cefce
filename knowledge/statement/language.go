package statement

import (
	"maps"
	"strings"
	"sync"
	"unicode"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

// language is what is asked of sentences in one language.
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
	later     forms             // say so too, in forms that take long to prepare; nil: none is known
	universal forms             // say so of everything of a kind that it holds without an end; nil: none is known
	definite  *automata.Pattern // speaks of one thing that both know
	article   *automata.Pattern // begins with the article of one thing that both know
	begins    *automata.Pattern // begins with one thing that both know, or with a person
	grounds   *automata.Pattern // groups: what is forbidden, the reason behind a comma or a dash; nil: not known
	habit     *automata.Pattern // says how "we" do things
	choice    *automata.Pattern // settles something
	recalls   *automata.Pattern // comes back to what was settled: "like everywhere", "as we said"
	settles   *automata.Pattern // the words of a choice that only announce it
	objects   *automata.Pattern // objects to what was done
	forbids   *automata.Pattern // says what must not be
	points    *automata.Pattern // means what only the conversation shows

	because *automata.Pattern // groups: the rule, the reason
	since   *automata.Pattern // groups: the reason, the rule
	aside   *automata.Pattern // groups: the choice, its reason behind a comma; nil: there is no such form
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
	contrast  *automata.Pattern // puts one thing in place of another, or excludes others; nil: not known
	past      *automata.Pattern // tells what was
	shows     *automata.Pattern // an order that tells how to run something
	occasion  *automata.Pattern // says when, or what not
	condition *automata.Pattern // what stands before an order: "when you add a route,"
	heads     *automata.Pattern // a heading of rules
	bars      *automata.Pattern // a heading of what must not be
	avoids    *automata.Pattern // turns down by itself: "avoid", "no"
	tells     *automata.Pattern // says how things are
	before    *automata.Pattern // means what the sentence before it is about; nil: not known
	steps     *automata.Pattern // a heading of a procedure; nil: none is known
	never     string            // puts such a heading before an item
	empty     map[string]bool   // words of rules that hold for every project; nil: none are known

	handles *automata.Pattern // does something to "this"; nil: no form is known

	// What is asked of comments of reviewers; nil: no such form is known.
	opens    *automata.Pattern // announces a rule: "rule of thumb:", "as agreed,"
	rules    *automata.Pattern // speaks of everything of a kind
	within   *automata.Pattern // says for which part of a repository it holds
	refers   *automata.Pattern // begins with what only the change shows
	retracts *automata.Pattern // takes back what was said, or says that it is not meant
}

// table is how a language is written down: expressions, without regard to case.
type table struct {
	common, lead, asks, polite, wishes, reports, passing, writes, notes, standing, duty, habit, choice, recalls, settles, objects, forbids, points string
	grounds, definite, because, since, aside, reason, not, touch, article, begins, verb, goesOn, apart                                             string
	order, modal, firmly, contrast, past, shows, occasion, condition, heads, bars, avoids, tells, before, never, empty, steps, handles             string
	opens, rules, within, refers, retracts                                                                                                         string
	universal, later                                                                                                                               []form
	dense                                                                                                                                          bool
}

func (t table) language() *language {
	c := func(expr string) *automata.Pattern { return automata.New(`(?i)` + expr) }
	l := &language{
		common: map[string]bool{}, lead: c(t.lead),
		asks: c(t.asks), polite: c(t.polite), wishes: c(t.wishes), reports: c(t.reports), passing: c(t.passing),
		writes: c(t.writes), notes: c(t.notes), standing: c(t.standing), duty: c(t.duty), habit: c(t.habit), choice: c(t.choice), recalls: c(t.recalls), settles: c(`^(?:` + t.settles + `)`), objects: c(t.objects), forbids: c(t.forbids), points: c(t.points),
		because: c(t.because), since: c(t.since), reason: c(t.reason), not: c(t.not), touch: c(t.touch),
	}
	l.order, l.modal, l.firmly, l.shows, l.occasion, l.condition = c(t.order), c(t.modal), c(t.firmly), c(t.shows), c(t.occasion), c(t.condition)
	l.heads, l.bars, l.avoids, l.tells, l.never = c(t.heads), c(t.bars), c(t.avoids), c(t.tells), t.never
	if t.contrast != "" {
		l.contrast, l.past = c(t.contrast), c(t.past)
	}
	if t.before != "" {
		l.before = c(t.before)
	}
	if t.steps != "" {
		l.steps = c(t.steps)
	}
	if t.handles != "" {
		l.handles = c(t.handles)
	}
	if t.opens != "" {
		l.opens, l.rules, l.within, l.refers, l.retracts = c(t.opens), c(t.rules), c(t.within), c(t.refers), c(t.retracts)
	}
	if t.empty != "" {
		l.empty = map[string]bool{}
		for w := range strings.FieldsSeq(t.empty) {
			l.empty[w] = true
		}
	}
	if t.grounds != "" {
		l.grounds, l.definite = c(t.grounds), c(t.definite)
	}
	l.later = formsOf(t.later)
	if t.universal != nil {
		l.universal, l.article, l.begins = formsOf(t.universal), c(t.article), c(t.begins)
	}
	if t.verb != "" {
		l.verb, l.goesOn, l.apart = c(t.verb), c(t.goesOn), c(t.apart)
	}
	if t.aside != "" {
		l.aside = c(t.aside)
	}
	var gaps []string
	for w := range strings.FieldsSeq(t.common) {
		l.common[w] = true
		gaps = append(gaps, w, " ")
	}
	if t.dense {
		l.gaps = strings.NewReplacer(gaps...)
	}
	return l
}

// Languages are prepared when a text in them is read.
var (
	inEnglish  = sync.OnceValue(english.language)
	inGerman   = sync.OnceValue(german.language)
	inSpanish  = sync.OnceValue(spanish.language)
	inChinese  = sync.OnceValue(chinese.language)
	inJapanese = sync.OnceValue(japanese.language)
)

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
