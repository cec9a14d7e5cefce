package check

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
)

// SARIF is the findings in the Static Analysis Results Interchange Format 2.1.0
// (OASIS), which code hosts read, as JSON. Version is that of this program.
func SARIF(findings []knowledge.Problem, version string) any {
	rules := lists.SortedUnique(lists.Map(findings, func(f knowledge.Problem) string { return f.Rule }))
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{
		Name: "lessons", Version: version, InformationURI: "https://github.com/lessons-cli/lessons", Rules: []sarifRule{},
	}
	for _, id := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: id, Short: sarifText{strings.ReplaceAll(id, "-", " ")}})
	}
	for _, f := range findings {
		r := sarifResult{RuleID: f.Rule, RuleIndex: slices.Index(rules, f.Rule), Level: "error", Message: sarifText{f.Text}}
		if f.Notice {
			r.Level = "note"
		}
		if !strings.HasPrefix(f.Path, "commit ") {
			at := sarifLocation{}
			at.Physical.Artifact.URI = uri(f.Path)
			at.Physical.Region.StartLine = max(1, f.Line)
			r.Locations = []sarifLocation{at}
		} else {
			r.Message.Text = f.Path + ": " + f.Text
		}
		run.Results = append(run.Results, r)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// uri writes a path as a relative reference (RFC 3986).
func uri(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/!$&'()*+,;=@", c) >= 0:
			b.WriteByte(c)
		default:
			const digits = "0123456789ABCDEF"
			b.WriteString("%" + string(digits[c>>4]) + string(digits[c&15]))
		}
	}
	return b.String()
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
}
