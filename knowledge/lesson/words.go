package lesson

import (
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// WordsHash identifies what a lesson says.
func (l *Lesson) WordsHash() string {
	words := l.Words()
	return knowledge.ContentHash(words.Format())
}

// Words is the part of a lesson that says something: without its names, without
// what more evidence changes, and in the form in which a file is read.
func (l *Lesson) Words() Lesson {
	w := *l
	w.Title, w.Body = prose.OneLine(l.Title), tidyBody(string(knowledge.NormaliseLines([]byte(l.Body))))
	w.ID, w.Status, w.Confidence, w.Priority, w.Created, w.Path = "", "", 0, 0, "", ""
	w.ReviewedBy, w.ReviewedAt, w.Returned = "", "", ""
	w.Seen, w.Nature, w.Quotes, w.BodyLine = Seen{}, "", nil, 0
	w.Tags, w.Examples = nil, Examples{} // further sessions add theirs
	return w
}
