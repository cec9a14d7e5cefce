package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReviews reads the comments of testdata/reviews and holds the drafts against what a
// person marked as standing instructions. With -v it prints each of them.
func TestReviews(t *testing.T) {
	var cases []struct {
		ID       any
		Standing bool
		Gist     string
		Why      string
	}
	data, err := os.ReadFile("testdata/reviews/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&cases); err != nil || len(cases) != 40 {
		t.Fatalf("%d cases (%v)", len(cases), err)
	}
	files, _ := filepath.Glob("testdata/reviews/*-*.json")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p := prepare(t, true)
	p.mustRun("scan", "--reviews", strings.Join(absoluteAll(here, files), ","))
	drafts, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons", "*.md"))
	found, wrong := 0, 0
	for _, c := range cases {
		draft := ""
		for _, file := range drafts {
			text, _ := os.ReadFile(file)
			if strings.Contains(string(text), fmt.Sprint(c.ID)) {
				draft = string(text)
			}
		}
		says := draft != ""
		for _, word := range strings.Fields(c.Gist) {
			says = says && strings.Contains(strings.ToLower(draft), strings.ToLower(word))
		}
		_, title, _ := strings.Cut(draft, "\n# ")
		title, _, _ = strings.Cut(title, "\n")
		t.Logf("standing %-5v draft %-5v %s: %s", c.Standing, draft != "", c.Why, title)
		switch {
		case c.Standing && says && strings.Contains(draft, "status: draft") && strings.Contains(draft, `imported: "github-reviews https://`):
			found++
		case !c.Standing && draft != "":
			wrong++
		}
	}
	t.Logf("%d of 15 standing instructions are drafts, %d of the others", found, wrong)
	if found < 12 || wrong > 1 {
		t.Errorf("%d of 15 standing instructions are drafts (12 wanted), and %d others (at most 1)", found, wrong)
	}
}
