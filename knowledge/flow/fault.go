package flow

import (
	"path"
	"strings"
)

// Fault is one thing that is wrong in a file of the flow.
type Fault struct {
	File string `json:"file"`
	At   string `json:"at"` // JSON pointer; empty: the document
	Text string `json:"text"`
	Next string `json:"next"` // what to do
}

func (f Fault) String() string {
	where := f.File
	if f.At != "" {
		where += " " + f.At
	}
	return where + ": " + f.Text
}

// pointer appends a key to a JSON pointer.
func pointer(at, key string) string {
	return at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// nameOf is the field that a pointer leads to; the document where it leads nowhere.
func nameOf(at string) string {
	if at == "" {
		return "the document"
	}
	return path.Base(at)
}
