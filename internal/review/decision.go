package review

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/check"
)

// Decision is what a person decides about an item.
type Decision struct {
	Item   Item
	Verb   Verb
	Into   string // of merge: the name of the item that stays
	Reason string // of delete
	Before []byte // of edit: the file as the person got it
	After  []byte // of edit: the file as it is to be
}

// Done is what a decision changed, in words.
type Done struct {
	Said []string `json:"said"`
}

// Detail is what a person reads to decide.
type Detail struct {
	Agent  string   `json:"agentReads"`
	Text   string   `json:"text,omitempty"` // what it reads where it looks: the body, or the entry
	When   string   `json:"when,omitempty"` // the calls that it is about
	Then   string   `json:"then,omitempty"` // what happens at one
	Quotes []string `json:"quotes,omitempty"`
	Seen   string   `json:"seen,omitempty"` // in how many sessions, and when
	check.History
	Other     string `json:"other,omitempty"` // a second text, with which this one is compared
	OtherName string `json:"-"`
}

// More is what the text says beyond what an agent reads at once; empty: nothing.
func (d Detail) More() string {
	if strings.Contains(d.Agent, strings.Join(strings.Fields(d.Text), " ")) {
		return ""
	}
	return d.Text
}

// Desk is where decisions are made: it knows the queue, what is to be read about an item,
// and carries out what a person decides. It commits nothing.
type Desk interface {
	Queue() ([]Item, error)
	Detail(Item) (Detail, error)
	// Text is the file of an item, and the line where the item begins.
	Text(Item) (text []byte, line int, err error)
	Decide(Decision) (Done, error)
	// Undo takes the last decision back and returns its item.
	Undo() (Item, Done, error)
	// Others are the names of the items with which an item can be merged, the most similar first.
	Others(Item) ([]Choice, error)
}

// Choice is an item to merge with.
type Choice struct{ Name, Title, Text string }
