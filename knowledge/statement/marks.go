package statement

import "github.com/lessons-cli/lessons/knowledge/statement/weigh"

// Marked are the sentences of a message, each with what its form tells.
func Marked(message string) []weigh.Sentence {
	l, all := split(message)
	return l.marked(all)
}

// MarkedClause is a clause with what its form tells.
func MarkedClause(clause string) weigh.Sentence {
	return languageOf(clause).marked([]string{clause})[0]
}

func (l *language) marked(all []string) []weigh.Sentence {
	marked := make([]weigh.Sentence, len(all))
	for i, s := range all {
		marked[i] = weigh.Sentence{Text: s, Marks: l.marks(s, behind(all, i))}
	}
	return marked
}

// marks are the names of the forms that a sentence has, by themselves and as what it is
// read as. Next is the sentence behind it.
func (l *language) marks(sentence, next string) []string {
	matter := l.withoutLead(sentence)
	_, because := l.reasoned(matter)
	read, states := l.read(sentence, next, 1)
	forms := []struct {
		name string
		has  bool
	}{
		{"asks", l.asks.MatchString(matter)},
		{"habit", l.habit.MatchString(matter)},
		{"duty", l.duty.MatchString(matter)},
		{"choice", l.choice.MatchString(matter)},
		{"general", l.generalises(matter)},
		{"polite", l.polite.MatchString(sentence)},
		{"wishes", l.wishes.MatchString(sentence)},
		{"reports", l.reports.MatchString(sentence)},
		{"passing", l.passing.MatchString(sentence)},
		{"writes", l.writes.MatchString(sentence)},
		{"notes", l.notes.MatchString(sentence)},
		{"recalls", l.recalls.MatchString(sentence)},
		{"objects", l.objects.MatchString(sentence)},
		{"standing", l.standingAt(sentence) != nil},
		{"question", endsAsking(sentence)},
		{"because", because != ""},
		{"because next", because == "" && l.reasonIn(next) != ""},
		{"is because", l.reasonIn(sentence) != ""},
		{"states " + string(read.Kind), states},
		{"explicit", states && read.Explicit},
		{"unfit", states && read.Missing != ""},
		{"decision because", states && read.Kind == Decision && read.Because != ""},
	}
	var marks []string
	for _, f := range forms {
		if f.has {
			marks = append(marks, f.name)
		}
	}
	return marks
}
