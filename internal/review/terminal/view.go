package terminal

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/review"
)

// Colours are the terminal's own sixteen, which its theme makes readable; nothing is told by
// colour alone.
var (
	strong  = lipgloss.NewStyle().Bold(true)
	quiet   = lipgloss.NewStyle().Faint(true)
	heading = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan)
	tag     = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Yellow)
	good    = lipgloss.NewStyle().Foreground(lipgloss.Green)
	bad     = lipgloss.NewStyle().Foreground(lipgloss.Red)
)

// maxWidth is how wide a line of text is at most.
const maxWidth = 100

func (m *model) columns() int { return max(20, min(m.width, maxWidth)) }

// fit wraps text of others, of which nothing is obeyed by the terminal.
func fit(text string, width int) string {
	return lipgloss.Wrap(strings.ReplaceAll(plain.Visible(text), "\t", "    "), width, " ")
}

func indented(text string, by int) string {
	lead := strings.Repeat(" ", by)
	return lead + strings.ReplaceAll(text, "\n", "\n"+lead)
}

// draw lays the body out anew.
func (m *model) draw() {
	m.body.SetWidth(m.columns())
	m.body.SetHeight(max(1, m.height-strings.Count(m.head()+m.foot(), "\n")-2))
	m.body.SetContent(m.content())
	m.body.GotoTop()
}

// View is the whole screen.
func (m *model) View() tea.View {
	v := tea.NewView(m.head() + "\n" + m.body.View() + "\n" + m.foot())
	v.AltScreen = true
	v.WindowTitle = m.title()
	return v
}

// title tells the whole state in a line.
func (m *model) title() string {
	i, ok := m.session.Item()
	switch {
	case !ok:
		return fmt.Sprintf("lessons review: nothing waits, %d decided", m.session.Decisions())
	case m.busy:
		return "lessons review: writing"
	}
	return fmt.Sprintf("lessons review: %d of %d, %d decided, %s", m.session.At+1, len(m.session.Waiting), m.session.Decisions(), plain.Line(i.Title))
}

func (m *model) rule() string { return quiet.Render(strings.Repeat("─", m.columns())) }

// head says where the person is.
func (m *model) head() string {
	place := "nothing waits"
	i, ok := m.session.Item()
	if ok {
		place = fmt.Sprintf("%d of %d", m.session.At+1, len(m.session.Waiting))
	}
	line := strong.Render("lessons review") + "   " + place
	if n := m.session.Decisions(); n > 0 {
		line += quiet.Render(fmt.Sprintf("   %d decided", n))
	}
	line = lipgloss.NewStyle().MaxWidth(m.columns()).Render(line)
	if !ok {
		return line + "\n" + m.rule()
	}
	whys := lists.Map(i.Reasons, func(r review.Reason) string { return string(r.Why) })
	line += "\n\n" + lipgloss.Wrap(tag.Render(strings.Join(whys, ", "))+quiet.Render("  "+i.Kind+"  "+plain.Line(i.Name)), m.columns(), " ")
	return line + "\n" + strong.Render(fit(plain.Line(i.Title), m.columns())) + "\n" + m.rule()
}

// foot names the keys, and what came of the last one.
func (m *model) foot() string {
	said := fit(plain.Line(m.said), m.columns())
	switch {
	case m.busy:
		said = "Writing …"
	case m.failed:
		said = bad.Render(said)
	}
	rule := m.rule()
	if more := " j: more "; !m.body.AtBottom() {
		rule = quiet.Render(strings.Repeat("─", m.columns()-len(more)-2) + more + "──")
	}
	return rule + "\n" + lipgloss.Wrap(m.keyLine(), m.columns(), " ") + "\n" + said
}

func (m *model) keyLine() string {
	switch m.mode {
	case giving:
		return m.reason.view("Why? ") + quiet.Render("   Enter deletes, Esc leaves it")
	case choosing:
		return strong.Render("1-9") + " compare with one of these   " + strong.Render("Esc") + " leave it"
	case comparing:
		return strong.Render("Enter") + " merge   " + strong.Render("Esc") + " choose another"
	case helping:
		return "any key closes the help"
	}
	i, _ := m.session.Item()
	var shown []string
	for _, k := range keys {
		if k.verb == "" && k.press != "p" || i.Can(k.verb) {
			shown = append(shown, strong.Render(k.press)+" "+k.does)
		}
	}
	return strings.Join(shown, "  ")
}

// content is the body: what a person reads to decide.
func (m *model) content() string {
	width := m.columns()
	i, ok := m.session.Item()
	switch {
	case m.mode == helping:
		return fit(help, width)
	case !ok:
		return fit("\nNothing more waits for review. Look at what you decided with git diff, and commit it.", width)
	case m.mode == choosing:
		return m.choiceList()
	case m.detail == nil:
		return quiet.Render("Reading …")
	case m.mode == comparing:
		return heading.Render(fit("From "+plain.Line(m.chosen.Name)+", which stays, to this one", width)) + "\n" + words(m.chosen.Text, m.detail.Text, width)
	}
	return detailText(i, *m.detail, width)
}

func (m *model) choiceList() string {
	lines := []string{heading.Render(fit("Merge it into which? The other one stays and has its evidence.", m.columns()))}
	for n, c := range m.choices {
		lines = append(lines, strong.Render(fmt.Sprint(n+1))+indented(fit(plain.Line(c.Title), m.columns()-3), 3)[1:], quiet.Render(indented(fit(plain.Line(c.Name), m.columns()-3), 3)))
	}
	return strings.Join(lines, "\n")
}

// detailText is what is known of an item.
func detailText(i review.Item, d review.Detail, width int) string {
	var b strings.Builder
	section := func(name, text string) {
		if strings.TrimSpace(text) != "" {
			b.WriteString(heading.Render(fit(name, width)) + "\n" + indented(text, 2) + "\n\n")
		}
	}
	inner := width - 2
	for _, r := range i.Reasons {
		section("Why it waits", fit(r.Text, inner))
	}
	section("An agent reads", fit(d.Agent, inner))
	if d.Other != "" {
		section("From "+d.OtherName+" to this text", words(d.Other, d.Text, inner))
	} else {
		section("Where it looks, it reads", fit(d.More(), inner))
	}
	section("When", fit(d.When, inner))
	section("What happens then", fit(d.Then, inner))
	section("What sessions said", fit(quoted(d.Quotes), inner))
	section("Seen", fit(d.Seen, inner))
	if d.Calls > 0 && d.When != "" {
		section(fmt.Sprintf("History of %d calls", d.Calls), fit(d.Verdict, inner))
		section(fmt.Sprintf("It would have stopped rightly: %d", len(d.Right)), good.Render(calls(d.Right, inner)))
		section(fmt.Sprintf("It would have stopped wrongly: %d", len(d.Wrong)), bad.Render(calls(d.Wrong, inner)))
	}
	if i.Path != "" {
		b.WriteString(quiet.Render(fit(i.Path, width)))
	}
	return b.String()
}

func quoted(quotes []string) string {
	return strings.Join(lists.Map(quotes, func(q string) string { return "“" + plain.Line(q) + "”" }), "\n")
}

// maxCalls is how many calls of history are shown.
const maxCalls = 8

func calls(all []string, width int) string {
	lines := lists.Map(all[:min(len(all), maxCalls)], func(c string) string { return fit(plain.Line(c), width) })
	if more := len(all) - maxCalls; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// words shows two texts as one, with what went and what came marked as git does.
func words(from, to string, width int) string {
	marked := fit(review.Marked(review.Words(from, to)), width)
	for _, mark := range []struct {
		open, shut string
		style      lipgloss.Style
	}{{"[-", "-]", bad}, {"{+", "+}", good}} {
		marked = coloured(marked, mark.open, mark.shut, mark.style)
	}
	return marked
}

func coloured(text, open, shut string, style lipgloss.Style) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, open)
		inside, after, closed := strings.Cut(rest, shut)
		if !found || !closed {
			return b.String() + text
		}
		b.WriteString(before + style.Render(open+inside+shut))
		text = after
	}
}

const help = `a  accept it: agents act on it from now on
e  edit its file in your editor; then accept it
m  merge it into another item, which stays and has its evidence
r  archive it: it stays in the repository, and no agent is told
d  delete it, with a reason: it is not written again
n  the next one (also Right, Tab)
p  the one before (also Left, Shift-Tab)
u  take the last decision back
j k, Up, Down, Page Up, Page Down  scroll
q  quit (also Esc, Ctrl-C)

Files change at once, and nothing is committed:
look at git diff afterwards, and commit what you want to keep.`
