package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// Reviews is the name of the format of review comments.
const Reviews = "github-reviews"

// reviews reads what reviewers wrote to pull requests, as GitHub's command line prints it.
// What states a rule beyond the change comes in as a draft with its link.
var reviews = Format{
	Name: Reviews, About: "review comments: the JSON of gh api repos/O/R/pulls/N/comments, gh pr list --json and gh pr view --json",
	Takes: extension(".json"),
	Detect: func(_ string, head []byte) bool {
		return bytes.Contains(head, []byte(`"pull_request_review_id"`)) || bytes.Contains(head, []byte(`"authorAssociation"`)) || bytes.Contains(head, []byte(`"author_association"`))
	},
	read: readReviews,
}

// account is who wrote something.
type account struct {
	Login string `json:"login"`
	Type  string `json:"type"`
	Bot   bool   `json:"is_bot"`
}

func (a account) isBot() bool {
	return a.Bot || a.Type == "Bot" || strings.HasSuffix(a.Login, "[bot]") || strings.HasPrefix(a.Login, "app/")
}

// comment is a review, a comment, or a pull request that holds some, in any of the forms
// that are printed.
type comment struct {
	ID           json.RawMessage `json:"id"`
	Body         string          `json:"body"`
	Path         string          `json:"path"`
	HTML         string          `json:"html_url"`
	URL          string          `json:"url"`
	User         account         `json:"user"`
	Author       account         `json:"author"`
	Standing     string          `json:"author_association"`
	Association  string          `json:"authorAssociation"`
	ReplyTo      json.RawMessage `json:"in_reply_to_id"`
	PullRequest  string          `json:"pull_request_url"`
	CreatedAt    string          `json:"created_at"`
	Created      string          `json:"createdAt"`
	Submitted    string          `json:"submittedAt"`
	SubmittedAt  string          `json:"submitted_at"`
	Reviews      []comment       `json:"reviews"`
	Comments     []comment       `json:"comments"`
	IsMinimized  bool            `json:"isMinimized"`
	pullRequest  string
	pullAuthored bool // by the author of the pull request
}

func (c *comment) by() account {
	return account{cmp.Or(c.User.Login, c.Author.Login), cmp.Or(c.User.Type, c.Author.Type), c.User.Bot || c.Author.Bot}
}

func (c *comment) isReply() bool { return len(c.ReplyTo) > 0 && string(c.ReplyTo) != "null" }

func readReviews(f *file) {
	if !f.isText() {
		return
	}
	all, err := commentsIn(f.data)
	if err != nil {
		f.refuseAll(1, "it is no complete JSON of gh ("+err.Error()+"): nothing of it was imported")
		return
	}
	reviewers := reviewersOf(all)
	for _, c := range all {
		if c.counts(reviewers) {
			f.review(c)
		}
	}
}

// commentsIn are the comments of a file: of one document, or of several behind each other,
// as gh prints pages.
func commentsIn(data []byte) ([]*comment, error) {
	var all []*comment
	d := json.NewDecoder(bytes.NewReader(data))
	for pages := 0; ; pages++ {
		var page json.RawMessage
		switch err := d.Decode(&page); {
		case errors.Is(err, io.EOF) && pages > 0:
			return all, nil
		case err != nil:
			return nil, err
		}
		if !bytes.HasPrefix(page, []byte("[")) {
			page = slices.Concat([]byte("["), page, []byte("]"))
		}
		var list []*comment
		if err := json.Unmarshal(page, &list); err != nil {
			return nil, err
		}
		all = append(all, lists.Flat(list, (*comment).flat)...)
	}
}

// flat is a comment, or those of a pull request, whose own text is its author's.
func (c *comment) flat() []*comment {
	if c == nil {
		return nil
	}
	c.pullRequest = c.PullRequest
	if len(c.Reviews)+len(c.Comments) == 0 {
		return []*comment{c}
	}
	var all []*comment
	for _, in := range slices.Concat(c.Reviews, c.Comments) {
		in.pullRequest, in.pullAuthored = c.URL, in.by().Login == c.by().Login
		all = append(all, &in)
	}
	return all
}

// reviewersOf are those who begin a thread at a pull request. Who only answers there is
// mostly its author.
func reviewersOf(all []*comment) map[string]bool {
	begin := map[string]bool{}
	for _, c := range all {
		if !c.isReply() {
			begin[c.pullRequest+" "+c.by().Login] = true
		}
	}
	return begin
}

// counts says whether a comment is the word of a person who may speak for the repository,
// about somebody else's change.
func (c *comment) counts(reviewers map[string]bool) bool {
	by := c.by()
	return by.Login != "" && !by.isBot() && !c.pullAuthored && !c.IsMinimized && reviewers[c.pullRequest+" "+by.Login] &&
		slices.Contains([]string{"OWNER", "MEMBER", "COLLABORATOR"}, cmp.Or(c.Standing, c.Association))
}

// review makes a draft of a comment that states a rule.
func (f *file) review(c *comment) {
	body := hidden().ReplaceAllString(c.Body, " ")
	rules := statement.Reviewed(body)
	if len(rules) == 0 {
		return
	}
	id := strings.Trim(string(c.ID), `"`)
	link, ok := webLink(cmp.Or(c.HTML, c.URL, c.pullRequest))
	if !ok {
		f.refuse(0, id, "it has no link to its comment")
		return
	}
	rule := rules[0]
	t := Thing{
		Source: Source{Format: f.format, Path: link, ID: id}, Identity: link + " " + id, Date: date(cmp.Or(c.CreatedAt, c.Created, c.Submitted, c.SubmittedAt)),
		Title: headline(prose.OneLine(rule.Rule)), Problem: prose.Shorten(wordsAndCode(body), 600),
	}
	if strings.HasSuffix(link, id) {
		t.Source.ID = path.Base(link)
	}
	t.lesson(lesson.Requirement, 5, nil)
	t.Lesson.Triggers.Paths = rule.Paths
	if len(rule.Paths) == 0 && c.Path != "" && thisFolder().MatchString(rule.Rule) {
		t.Lesson.Triggers.Paths = []string{path.Join(path.Dir(path.Clean(c.Path)), "**")}
	}
	t.Observation = &observe.Observation{Observations: 1, LastSeen: t.Date}
	t.draft("a reviewer said it: it waits until you promote it")
	f.add(t)
}

// thisFolder finds words that mean the folder of the file which a comment is about.
var thisFolder = automata.Lazily(`(?i)\b(?:in|of|inside|within|for) this (?:package|module|folder|directory|crate)\b|\bin diesem (?:paket|modul|ordner|verzeichnis)\b`)

// webLink is an address of a page that may be written into a file.
func webLink(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || strings.ContainsAny(text, " \t\n\"<>`") {
		return "", false
	}
	return u.String(), true
}

var (
	fencedCode = automata.Lazily("(?s)(?:```|~~~)(\\w*)[^\\n]*\\n(.*?)(?:```|~~~|$)")
	hidden     = automata.Lazily(`(?s)<!--.*?(?:-->|$)`) // nobody sees it on the page
	quotedLine = automata.Lazily(`(?m)^\s*>.*$`)
)

// wordsAndCode is a comment on one line, its code between backticks. What it quotes, and
// the changes that it suggests, are left out.
func wordsAndCode(body string) string {
	body = fencedCode().ReplaceAllStringFunc(body, func(block string) string {
		part := fencedCode().FindStringSubmatch(block)
		if code := prose.OneLine(part[2]); code != "" && part[1] != "suggestion" && !strings.Contains(code, "`") {
			return " `" + code + "` "
		}
		return " "
	})
	return prose.OneLine(quotedLine().ReplaceAllString(body, " "))
}

// maxHeadline is how long a title is that is not cut, in bytes.
const maxHeadline = 100

// headline is a rule as a title: as many of its clauses as fit.
func headline(rule string) string {
	if len(rule) <= maxHeadline {
		return rule
	}
	for at := maxHeadline; at > maxHeadline/4; at-- {
		if strings.ContainsRune(",;:(", rune(rule[at])) && strings.Count(rule[:at], "`")%2 == 0 {
			return strings.TrimSpace(rule[:at])
		}
	}
	return prose.Shorten(strings.ReplaceAll(rule, "`", ""), maxHeadline)
}
