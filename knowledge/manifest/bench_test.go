package manifest

import (
	"fmt"
	"testing"
)

func BenchmarkManifest(b *testing.B) {
	m := &Manifest{}
	for i := range 1000 {
		m.Rows = append(m.Rows, Row{ObservationID: fmt.Sprintf("obs_%04d", i), Type: "lesson", Path: ".lessons/a.md", Rev: 1})
	}
	data := m.Bytes()
	for b.Loop() {
		read, err := Parse("m", data)
		if err != nil {
			b.Fatal(err)
		}
		read.Bytes()
	}
}
