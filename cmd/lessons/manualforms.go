package main

import (
	"strings"
)

// markdownManual prints help as Markdown.
type markdownManual struct {
	strings.Builder
	listing bool
}

func (m *markdownManual) text() string { return m.String() }

func (m *markdownManual) block(text string) {
	if m.Len() > 0 {
		m.WriteByte('\n')
	}
	m.WriteString(text + "\n")
	m.listing = false
}

func (m *markdownManual) title(level int, text string) {
	m.block(strings.Repeat("#", level) + " " + text)
}

func (m *markdownManual) paragraph(text string) { m.block(escapeMarkdown(text)) }

func (m *markdownManual) code(text string) { m.block("```sh\n" + text + "\n```") }

func (m *markdownManual) item(term, text string) {
	line := "- " + escapeMarkdown(text)
	if term != "" {
		line = "- `" + term + "`: " + escapeMarkdown(text)
	}
	if m.listing {
		m.WriteString(line + "\n")
		return
	}
	m.block(line)
	m.listing = true
}

// escapeMarkdown keeps what stands outside of code spans from being markup.
func escapeMarkdown(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = markup.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

var markup = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "[", `\[`)

// roffManual prints help as a page for man.
type roffManual struct{ strings.Builder }

func newRoff() *roffManual {
	m := &roffManual{}
	m.WriteString(".TH LESSONS 1\n")
	return m
}

func (m *roffManual) text() string { return m.String() }

func (m *roffManual) title(level int, text string) {
	macro := ".SS "
	if level == 1 {
		macro = ".SH "
	}
	m.WriteString(macro + quoteRoff(text) + "\n")
}

func (m *roffManual) paragraph(text string) { m.WriteString(".PP\n" + roffText(text) + "\n") }

func (m *roffManual) code(text string) {
	m.WriteString(".PP\n.RS 4\n.nf\n" + roffLines(text) + "\n.fi\n.RE\n")
}

func (m *roffManual) item(term, text string) {
	if term == "" {
		m.WriteString(".IP \\(bu 2\n" + roffText(text) + "\n")
		return
	}
	m.WriteString(".TP\n\\fB" + roffLines(term) + "\\fR\n" + roffText(text) + "\n")
}

// roffText is a paragraph; code spans are bold.
func roffText(text string) string {
	parts := strings.Split(text, "`")
	for i := range parts {
		parts[i] = escapeRoff(parts[i])
		if i%2 == 1 {
			parts[i] = `\fB` + parts[i] + `\fR`
		}
	}
	return guardRoff(strings.Join(parts, ""))
}

func roffLines(text string) string {
	lines := strings.Split(escapeRoff(text), "\n")
	for i := range lines {
		lines[i] = guardRoff(lines[i])
	}
	return strings.Join(lines, "\n")
}

func escapeRoff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(text)
}

// guardRoff keeps a line from being a request.
func guardRoff(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}

func quoteRoff(text string) string {
	return `"` + strings.ReplaceAll(escapeRoff(text), `"`, `\(dq`) + `"`
}
