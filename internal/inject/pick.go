package inject

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/provenance"
)

// picker chooses which lessons fit into a block, and claims them.
type picker struct {
	in      Input
	claim   func(Lesson) (bool, error)
	stops   bool // a call is held back: the fix comes first
	withFix bool // the fix is said even where the text leaves it out
	forget  bool // what cannot be remembered is not said
	skills  bool // a skill stands for the third lesson that it holds, and for those behind it

	won     []piece
	dropped []string
	record  []Trace
}

type piece struct {
	lesson Lesson
	text   string
}

// aloneOfSkill is how many lessons of one skill are told before it is pointed at.
const aloneOfSkill = 2

func (in Input) picker(claim func(Lesson) (bool, error)) *picker {
	return &picker{in: in, claim: claim}
}

// pick returns the block of the lessons that fit and that this process is the
// one to say, empty when there are none. They come in the order given, critical
// ones first; those are bound by the agent's cap alone, the others by
// budget and number. A text that does not fit gives way to the lesson's summary,
// and is never cut. What is left out is not claimed, so it comes another time.
func (p *picker) pick(lessons []Lesson) string {
	waiting := slices.Clone(lessons)
	slices.SortStableFunc(waiting, func(a, b Lesson) int { return critical(b) - critical(a) })
	for _, l := range waiting {
		if p.skills && l.Skill != "" && !l.Unreviewed && critical(l) == 0 && p.pointed(l.Skill) {
			p.dropped = append(p.dropped, l.ID)
			continue
		}
		text, fits := p.fit(l)
		if !fits {
			p.dropped = append(p.dropped, l.ID)
			continue
		}
		won, err := p.claim(l)
		if err != nil {
			won = !p.forget && (p.in.early() || critical(l) == 1)
		}
		withheld := won && p.in.withholds(l)
		if won && l.HasFile() {
			p.record = append(p.record, p.in.delivery(l, text, withheld))
		}
		if won && !withheld {
			p.won = append(p.won, piece{l, text})
		}
	}
	_ = p.in.Session.Note(p.record...) // a count that is missing
	if len(p.won) == 0 {
		return ""
	}
	return p.block()
}

// pointed says whether enough lessons of a skill were told, and points at it in the last of
// them.
func (p *picker) pointed(skill string) bool {
	last, n := -1, 0
	for i, w := range p.won {
		if w.lesson.Skill == skill {
			last, n = i, n+1
		}
	}
	if n < aloneOfSkill {
		return false
	}
	const more = "\nAll that is known of this tool is in "
	if w := &p.won[last]; !strings.Contains(w.text, more) {
		w.text += more + skill
	}
	return true
}

// names are what a block says that it tells: the lesson, or the problems of a notice.
func (l Lesson) names() []string {
	if l.Notice() {
		return strings.Fields(l.Source)
	}
	return []string{l.ID}
}

func critical(l Lesson) int {
	if l.Priority >= Critical && !l.Unreviewed {
		return 1
	}
	return 0
}

// room is how many bytes a lesson may have, and how many the block with it. What nobody
// here reviewed has its share of a block alone.
func (p *picker) room(l Lesson) (own, all int) {
	most, all := p.in.Settings.MaxLessons, p.in.Settings.BudgetBytes
	plain, theirs, bytes := 0, 0, 0
	for _, w := range p.won {
		plain += 1 - critical(w.lesson)
		if w.lesson.Unreviewed {
			theirs, bytes = theirs+1, bytes+len(w.text)
		}
	}
	switch {
	case critical(l) == 1:
		return p.in.MaxBytes, p.in.MaxBytes
	case plain >= most, l.Unreviewed && theirs >= provenance.Share(most):
		return 0, 0
	case l.Unreviewed:
		return provenance.Share(all) - bytes, all
	}
	return all, all
}

// fit returns the longest form of a lesson for which there is room.
func (p *picker) fit(l Lesson) (string, bool) {
	own, all := p.room(l)
	for _, text := range p.forms(l) {
		if text == "" {
			continue
		}
		if l.Unreviewed {
			text = provenance.Mark + text
		}
		trial := picker{won: append(slices.Clone(p.won), piece{l, text}), in: p.in, stops: p.stops}
		if len(text) <= own && len(trial.block()) <= all {
			return text, true
		}
	}
	return "", false
}

// forms are the texts of a lesson, the longest first.
func (p *picker) forms(l Lesson) []string {
	switch {
	case p.stops:
		return []string{l.instead(l.Text), l.instead(l.Summary), l.Text, l.Summary}
	case p.withFix && l.Fix != "" && !strings.Contains(l.Text, l.Fix):
		return []string{l.Text + "\nFix: " + l.Fix, l.Summary + "\nFix: " + l.Fix, l.Text, l.Summary}
	}
	return []string{l.Text, l.Summary}
}

// instead is a text of the lesson behind its fix, which a text that ends with it need not
// say again.
func (l *Lesson) instead(text string) string {
	if l.Fix == "" {
		return text
	}
	if rest, ok := strings.CutSuffix(text, l.Fix); ok {
		rest = strings.TrimRight(rest, "*: ")
		text = strings.TrimRight(rest[:strings.LastIndexByte(rest, ' ')+1], " ") // without the label
	}
	return strings.TrimSpace("Do this instead: " + l.Fix + "\n" + text)
}

func (p *picker) block() string {
	head, texts := mark, lists.Map(p.won, func(w piece) string { return w.text })
	if p.stops {
		why := lists.Map(p.injected(), func(id string) string { return "lessons show " + id })
		texts = append(texts, "Stopped once, so that you can decide knowing this. If the call is right as it is, make it again: it passes.", "Why: "+strings.Join(why, "; "))
	} else {
		head = p.in.head(len(p.injected()))
	}
	return head + strings.Join(texts, "\n")
}

func (p *picker) injected() []string {
	return lists.Flat(p.won, func(w piece) []string { return w.lesson.names() })
}
