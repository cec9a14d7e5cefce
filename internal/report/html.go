package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/review"
)

//go:embed page.html style.css
var files embed.FS

// Pages are the templates of the page, for pages that show the same. They are new ones each
// time: templates that were executed take no others.
func Pages() *template.Template {
	return template.Must(template.New("page.html").Funcs(funcs).ParseFS(files, "page.html"))
}

// funcs are what templates use: text of others loses what nobody sees before it is escaped.
var funcs = template.FuncMap{
	"line": plain.Line, "text": plain.Visible, "words": words, "share": share, "chart": drawn, "style": Style,
	"minutes": minutes, "number": number, "first": first, "dearest": dearest,
	"more": func(n, shown int) int { return max(0, n-shown) },
	"span": func(weeks []Week) string {
		from, to := span(weeks)
		return from.Format("2 January 2006") + " to " + to.Format("2 January 2006")
	},
}

// Style is the style sheet of the pages.
func Style() (template.CSS, error) {
	data, err := files.ReadFile("style.css")
	return template.CSS(data), err //nolint:gosec // it is our own file
}

// HTML writes the report as one page that needs nothing else.
func HTML(w io.Writer, r Report) error { return Pages().Execute(w, r) }

// words is a number with its noun.
func words(n int, noun string) string {
	switch noun {
	case "met":
		return number(n) + " met for the first time"
	case "repeated", "prevented":
		return number(n) + " " + noun
	}
	if n == 1 {
		return "1 " + strings.TrimSuffix(noun, "s")
	}
	return number(n) + " " + noun
}

// number groups the digits of great numbers.
func number(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "\u202f" + s[at:] // a narrow space that does not break
	}
	return s
}

// minutes is a time as people say it.
func minutes(m float64) string {
	switch {
	case m < 1:
		return "< 1 min"
	case m < 90:
		return fmt.Sprintf("%.0f min", m)
	}
	return fmt.Sprintf("%.1f h", m/60)
}

// first are the first elements of one of the report's lists.
func first(n int, list any) (any, error) {
	switch list := list.(type) {
	case []Problem:
		return list[:min(n, len(list))], nil
	case []Effect:
		return list[:min(n, len(list))], nil
	case []review.Item:
		return list[:min(n, len(list))], nil
	}
	return nil, fmt.Errorf("no list of a report: %T", list)
}
