package project

import (
	"bytes"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/ask"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// asksPath holds what agents were asked in this clone. Losing it loses counts.
func (p *Project) asksPath() string { return p.shared("asks.jsonl") }

// keepAsks adds what a scan saw.
func (p *Project) keepAsks(fresh []ask.Fact) error {
	if len(fresh) == 0 {
		return nil
	}
	return p.changeOwn(p.asksPath(), func(before []byte) []byte { return ask.Encode(ask.Merge(ask.Parse(before), fresh)) })
}

// changeOwn makes another text of a file of this clone's.
func (p *Project) changeOwn(path string, change func(before []byte) []byte) error {
	before, err := p.readOwn(path)
	if err != nil {
		return err
	}
	after := change(before)
	if bytes.Equal(before, after) {
		return nil
	}
	return fsx.WriteFile(p.FS, path, after)
}

// Asking says how agents answer what they are asked, and how often one may be asked in a
// session: what the setting says, but not at all where they ignore it. A setting that a
// person wrote down stands.
func (p *Project) Asking(s *store.Snapshot) (count ask.Count, most int) {
	data, _ := p.readOwn(p.asksPath()) // what cannot be read counts nothing
	asks := ask.Of(ask.Parse(data))
	most = s.Config.Ask
	if ask.InVain(asks) && !config.Names(s.ConfigData, "ask") && !config.Names(p.personal, "ask") {
		most = 0
	}
	return ask.CountOf(asks), most
}
