package compile

import "testing"

func TestListsAndPointersAreNoCommands(t *testing.T) {
	for fix, want := range map[string]string{
		"1. plugin.json 2. CHANGELOG.md": "", "read .lessons/x-1234.md": "", "git push": "git push", "run `make fmt` first": "make fmt",
		"1. run `make fmt`": "make fmt",
	} {
		if got := commandIn(fix); got != want {
			t.Errorf("the command of %q is %q, want %q", fix, got, want)
		}
	}
}
