package observe

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Phrasing is how a model would say what an observation says (algorithms section
// 9). It stands beside the words that were found. Id, content keys, counts,
// scores and trigger come from those alone, so a log with phrasings and one
// without decide the same.
type Phrasing struct {
	Of      string   `json:"of"` // [PhrasingKey] of the words that it stands for
	Model   string   `json:"model,omitempty"`
	Title   string   `json:"title,omitempty"`
	Mistake string   `json:"mistake,omitempty"`
	Fix     string   `json:"fix,omitempty"`
	Why     string   `json:"why,omitempty"`
	Quotes  []string `json:"quotes,omitempty"` // words of the evidence that it rests on
	// Trigger is what it chose of the triggers that history allows, where none was found.
	Trigger   *lesson.Trigger `json:"trigger,omitempty"`
	Nature    string          `json:"nature,omitempty"` // what kind of thing it is
	QualityOK bool            `json:"quality_ok"`
	Rejected  string          `json:"reject_reason,omitempty"` // why it is worth nothing; the found words stand then
}

// PhrasingKey names the words of an observation. When they change, because a
// session said it better, the phrasings of the old ones no longer apply.
func PhrasingKey(o *Observation) string {
	return knowledge.Digest("", 12, "words", string(o.Type), o.Pattern, o.Details, o.Mistake, o.Fix)
}

// Phrasing returns what a model made of the present words; false: nothing.
func (o *Observation) Phrasing() (Phrasing, bool) {
	if len(o.Phrased) == 0 {
		return Phrasing{}, false
	}
	key := PhrasingKey(o)
	return lists.Find(o.Phrased, func(p Phrasing) bool { return p.Of == key })
}

// Title is the observation's title as it is shown: a model's, else the pattern.
func (o *Observation) Title() string {
	if p, ok := o.Phrasing(); ok && p.QualityOK && p.Title != "" {
		return p.Title
	}
	return o.Pattern
}

// NotedAlone is what a remark of an agent lacks that nothing else tells of. A second
// session that makes it mends that.
const NotedAlone = "only a remark of the agent tells of it; a second session, or a failure that shows it, would do"

// Worthy says whether the quality suffices: by the rules of the detectors, or by
// a model's word about any of its words, which like theirs stays.
// A model cannot speak for a decision: whether its reason holds is for a person
// to say.
func (o *Observation) Worthy() bool {
	return o.QualityOK || o.Unfit == NotedAlone && len(o.Sessions) > 1 || o.Type != knowledge.Decision && slices.ContainsFunc(o.Phrased, func(p Phrasing) bool { return p.QualityOK })
}

// Proposable says whether the quality of a decision suffices to propose it, which binds
// nobody: there a model's word does.
func (o *Observation) Proposable() bool {
	p, ok := o.Phrasing()
	return o.QualityOK || ok && p.QualityOK
}

// Instruction is the nature of what a person says about how things are done.
const Instruction = "instruction"

// Lacks says what the words lack to be written down, "" where nothing is known or
// somebody vouches for them.
func (o *Observation) Lacks() string {
	if o.Worthy() || o.Recorded == RecordedManual {
		return ""
	}
	return o.Unfit
}

// AddPhrasing joins a phrasing to the observation.
func (o *Observation) AddPhrasing(p Phrasing) {
	o.Phrased = joinPhrasings(o.Phrased, []Phrasing{p})
}

// joinPhrasings is the union by the words that are phrased. Of two phrasings of
// the same words one that approves stands, then the greater in a total order.
func joinPhrasings(a, b []Phrasing) []Phrasing {
	if len(a)+len(b) == 0 {
		return nil
	}
	best := map[string]Phrasing{}
	for _, p := range slices.Concat(a, b) {
		if old, ok := best[p.Of]; !ok || comparePhrasings(old, p) < 0 {
			best[p.Of] = p
		}
	}
	var joined []Phrasing
	for _, of := range slices.Sorted(maps.Keys(best)) {
		p := best[of]
		p.Quotes, p.Trigger = slices.Clone(p.Quotes), p.Trigger.Clone()
		joined = append(joined, p)
	}
	return joined
}

func comparePhrasings(a, b Phrasing) int {
	return cmp.Or(ordered.CompareBool(a.QualityOK, b.QualityOK), bytes.Compare(fields.JSON(a), fields.JSON(b)))
}
