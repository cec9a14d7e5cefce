package project

import (
	"github.com/lessons-cli/lessons/knowledge/said"
)

// saidPath holds what people's messages are about. Losing it loses who said a decision again.
func (p *Project) saidPath() string { return p.shared("said.jsonl") }

// messages are what earlier scans read. What cannot be read counts nothing.
func (p *Project) messages() []said.Message {
	data, _ := p.readOwn(p.saidPath())
	return said.Parse(data)
}

// keepSaid adds what a scan read.
func (p *Project) keepSaid(fresh []said.Message) error {
	return p.changeOwn(p.saidPath(), func(before []byte) []byte { return said.Encode(said.Merge(said.Parse(before), fresh)) })
}
