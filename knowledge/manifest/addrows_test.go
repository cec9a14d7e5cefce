package manifest

import (
	"bytes"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/kit"
)

func TestAddRowsLeavesWhatStands(t *testing.T) {
	m := &Manifest{}
	m.PutRow(Row{ObservationID: "a", Type: "decision", Path: "x"})
	m.Bury(Tombstone{Row: Row{ObservationID: "b", Type: "decision"}})
	m.AddRows(Row{ObservationID: "c", Type: "decision", Path: "z"}, Row{ObservationID: "a", Type: "decision", Path: "y"}, Row{ObservationID: "b", Type: "decision", Path: "y"})
	want := &Manifest{}
	want.PutRow(Row{ObservationID: "a", Type: "decision", Path: "x"})
	want.Bury(Tombstone{Row: Row{ObservationID: "b", Type: "decision"}})
	want.PutRow(Row{ObservationID: "c", Type: "decision", Path: "z"})
	if string(m.Bytes()) != string(want.Bytes()) {
		t.Errorf("got\n%s", m.Bytes())
	}
}

func TestManifestUpgrade(t *testing.T) {
	m := mustManifest(t, kit.DevflowManifest)
	before, after := m.Upgrade()
	if string(before) != kit.DevflowManifest || bytes.Contains(after, []byte("/Users/ann")) {
		t.Errorf("upgraded to\n%s", after)
	}
	read := mustManifest(t, string(after))
	if len(read.Rows) != len(m.Rows) {
		t.Errorf("%d rows of %d", len(read.Rows), len(m.Rows))
	}
	if before, _ := read.Upgrade(); before != nil {
		t.Error("an upgraded manifest is upgraded again")
	}
	if before, _ := new(Manifest).Upgrade(); before != nil {
		t.Error("no manifest is upgraded")
	}
}
