package scan

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// A reply is how the agent takes a person's message, read from the beginning of
// its text.
type reply int

const (
	unread reply = iota
	neutral
	mends     // says that it repairs something: "Fixed.", "The pattern was wrong."
	yields    // takes the point: "I see", "Good point", "Understood"
	admits    // grants that the person is right
	confesses // names a mistake of its own: "My mistake", "I made an error"
)

// What a text can begin with.
const (
	ofPartRight automata.Members = 1 << iota
	ofRight
	ofPoint
	ofRepair
)

type replyPatterns struct {
	begins                              *automata.Set // of the constants above
	confesses, concedes, grants, faults *automata.Pattern
}

var agentPatterns = sync.OnceValue(func() *replyPatterns {
	const (
		lead       = `(?i)^\W*(?:(?:ah+|oh|hmm+|yes|yep|yeah|no|ok(?:ay)?|oops|right)[\s,.!:—–-]+)*`
		slip       = `(?:(?:that was |it was |this was )?(?:my|entirely my|totally my) (?:mistake|bad|apologies|error|fault|oversight)|(?:i |my |sincere )*apologi[sz]e|my apologies|i(?:'ve| have)? (?:made|introduced) (?:an?|the|that) (?:error|mistake|typo|bug|wrong|false)|i (?:was (?:wrong|mistaken)|misunderstood|misread|misremembered|overlooked|invented|made (?:that|it|this) up|fucked up|messed (?:this |that |it )?up|forgot|should(?:n'?t| not) have)|i'?m sorry|sorry(?:[.!]| for (?:that|the (?:mistake|error|mess|oversight))| about that|, (?:i|that|it|my))|that was (?:\w+ly )?(?:wrong|incorrect|a mistake))`
		concession = `(?i)\b(?:(?:you'?re|you are) (?:\w+ly )?(?:right|correct)|(?:i|that) (?:was|is) (?:wrong|my mistake)|i should(?:n't| not)? have|without (?:ever |first |actually )?(?:asking|checking|running|verifying|reading)|over-?(?:delivered|stepped|simplified|reached)|jumped the gun|hand-?wav\w+|too (?:early|hasty|hastily))\b`
	)
	return &replyPatterns{
		begins: automata.NewSet(map[automata.Members]string{
			ofPartRight: lead + `you(?:'re| are)(?: \w+ly)? right to (?:note|feel|consider|think|ask|want|wonder|focus|mention|prioriti[sz]e|plan|say|see|highlight|point (?:that )?out that)\b`,
			ofRight: lead + `(?:(?:you'?re|you are|you were|vous avez|tu as|du hast|sie haben|tienes|tiene|você tem|hai|ha|je hebt|u heeft)(?: \w+ly)? (?:right|correct|raison|recht|razón|razão|ragione|gelijk)\b` +
				`|good catch|nice catch|great catch|my (?:mistake|bad|apologies|error|assumption was wrong)|(?:i |my |sincere )*apolog\w+|i(?: \w+)? (?:was (?:wrong|mistaken|parroting|looking at)|misunderstood|misread|misremembered|overstated|overlooked|missed|invented|made (?:that|it|this) up|had not|hadn'?t|only (?:looked|checked|tested|read)|did,? sorry|should(?:n'?t| not)? have)` +
				`|i'?m sorry|sorry[.!,]? (?:i|that|it|about|for|the|my)\b|you(?:'ve| have)? got me|(?:got it|noted)[\s,.!—–-]+(?:corrections?|corrected)\b|i stand corrected|that (?:\w+ )?changes the (?:recommendation|picture|answer|plan|design)|that rules (?:that|it|this) out|i (?:withdraw|retract)|withdrawn|thank(?:s| you) for (?:the correction|catching|pointing)|oops\b|then (?:my|the|that) [^.]*\b(?:wrong|not)\b|wrong \w+\b|tut mir leid|entschuldig\w+|mein fehler|stimmt\b|da habe ich|lo siento|perdón|mi error|désolé|mon erreur|pardon|desculp\w+|mi dispiace|вы правы|ты прав|извините|您说得对|你说得对|抱歉|对不起|おっしゃる通り|申し訳|すみません|맞습니다|죄송)`,
			ofPoint:  lead + `(?:good (?:point|call|idea)|fair (?:point|enough)|valid (?:point|concern)|great point|i see\b(?: (?:the|what|now|it|you|that))?|that'?s (?:a (?:good|fair|valid|strong|great)|right|correct|true)|that makes sense|makes sense|right[,.!]|understood|got it|now i (?:see|understand)|indeed|agreed|verstanden|entendido|compris|明白)`,
			ofRepair: lead + `(?:(?:i(?:'ve| have)? )?(?:now )?(?:fixed|reverted|restored|corrected|undid|undone|removed|resolved)\b|found (?:it|the)|let me (?:fix|correct|revert|undo|restore|redo)|(?:the|this|that) (?:issue|problem|cause|bug|root cause|reason) (?:is|was)|behoben|corregido|corrigé|corrigido|修正しました)`,
		}),
		faults:    automata.New(`(?i)\b(?:was|were|is) (?:wrong|swapped|missing|too (?:low|high|small|large|narrow|wide)|unused|immutable)\b`),
		confesses: automata.New(`(?i)^\W*(?:[^.!?\n]{0,60}[.,!?—–-]+\s*)?` + slip),
		concedes:  automata.New(concession),
		grants:    automata.New(`(?i)^\W*(?:(?:(?:ah+|oh|hmm+|yes|yep|yeah|no|ok(?:ay)?|oops|right|and|you(?:'re| are)(?: \w+ly)? (?:right|correct)(?: to \w+(?: (?:this|that|it))?| on (?:\w+ )?(?:points?|counts?))?|(?:good|fair|great|nice|valid) (?:catch|point|call|question)|i(?:'m| am) sorry|(?:i |my )?apolog\w+(?: for [^.,!—–-]+)?|my (?:mistake|bad)|sorry|thank(?:s| you)(?: for [^.,!—–-]+)?|understood|i see(?: (?:the|what|your) \w+)?|got it)(?:[\s,.!:;—–-]+|$))+)`),
	}
})

// replyOf reads how a text of the agent takes what was said to it.
func replyOf(text string) reply {
	p := agentPatterns()
	begin := firstBytes(strings.TrimSpace(text), 300)
	switch begins := p.begins.In(begin); {
	case p.confesses.MatchString(begin):
		return confesses
	case begins.Has(ofPartRight):
		return yields
	case begins.Has(ofRight), p.concedes.MatchString(firstBytes(begin, 120)):
		return admits
	case begins.Has(ofPoint):
		return yields
	case begins.Has(ofRepair), p.faults.MatchString(begin):
		return mends
	}
	return neutral
}

func firstBytes(s string, n int) string { return s[:min(n, len(s))] }

// gist is what the agent says to the matter when it grants the person's point: its
// first sentence behind the courtesies that tells something. It is empty when it
// only announces what it will do.
func gist(acts []*Step) string {
	n := 0
	for _, s := range acts {
		if !speaks(s) {
			continue
		}
		if n++; n > 4 || s.reply() < admits {
			continue
		}
		text := strings.TrimSpace(statement.OwnWords(s.Text))
		text = text[len(agentPatterns().grants.FindString(text)):]
		first, _, _ := strings.Cut(text, "\n")
		for said := range statement.Sentences(first) {
			said = strings.TrimRight(strings.ReplaceAll(said, "**", ""), ".!")
			low := strings.ToLower(said)
			if statement.CountWords(said) >= 4 && !strings.HasPrefix(low, "let me") && !strings.HasPrefix(low, "let's") && !strings.HasPrefix(low, "i'll") && !strings.HasSuffix(said, ":") && !strings.HasSuffix(said, "?") {
				return capitalised(said)
			}
		}
	}
	return ""
}

// assertion is the sentence of the agent's text that a person's words are most
// about: of those that tell what it did or what is so, the one that shares most
// words, and of equals the last. It is empty when none shares any.
func assertion(claim *Step, words string) string {
	if claim == nil {
		return ""
	}
	about := topicOf(words)
	if len(about) == 0 {
		return ""
	}
	best, most := "", 1
	for line := range strings.Lines(statement.OwnWords(withoutBlocks(claim.Text))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") {
			continue // of a table, or a heading
		}
		for s := range statement.Sentences(strings.TrimLeft(line, "*-•0123456789.) ")) {
			if strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":") {
				continue
			}
			shared := 0
			for w := range strings.FieldsSeq(s) {
				if about[strings.Trim(strings.ToLower(w), ".,:;!?`'\"()*")] {
					shared++
				}
			}
			if shared < most {
				continue
			}
			if n := statement.CountWords(s); n >= 3 && n <= 50 {
				best, most = s, shared
			}
		}
	}
	return strings.TrimRight(strings.ReplaceAll(best, "**", ""), ".!")
}

// topicOf returns the longer words of a text, in lower case.
func topicOf(text string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		if w = strings.Trim(strings.ToLower(w), ".,:;!?`'\"()"); len(w) > 3 {
			words[w] = true
		}
	}
	return words
}
