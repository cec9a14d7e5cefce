package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/report"
	"github.com/lessons-cli/lessons/internal/review"
)

//go:embed pages.html forms.css
var files embed.FS

// style is the style sheet of all pages. Browsers take no other.
var style = sync.OnceValue(func() template.CSS {
	own, err := files.ReadFile("forms.css")
	shared, failed := report.Style()
	if err != nil || failed != nil {
		panic("serve: the style sheets are not in the program")
	}
	return shared + template.CSS(own) //nolint:gosec // they are our own files
})

// pages are the templates, those of the report among them.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(report.Pages().Funcs(template.FuncMap{
		"sheet":      func() template.CSS { return style() },
		"key":        key,
		"diff":       review.Words,
		"firstCalls": func(all []string) []string { return all[:min(len(all), maxCalls)] },
		"whys":       func() []review.Why { return review.Whys },
	}).ParseFS(files, "pages.html"))
})

// maxCalls is how many calls of history a page shows.
const maxCalls = 20

// headers keep a page from loading, running or telling anything that is not its own.
var headers = sync.OnceValue(func() map[string]string {
	sum := sha256.Sum256([]byte(style()))
	return map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		"Content-Type":                 "text/html; charset=utf-8",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "same-origin",
		"Cache-Control":                "no-store",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	}
})

// frame is what every page may show.
type frame struct {
	Title   string
	Page    string // which one of the navigation
	Said    string // what came of the last form
	Form    string
	Decided int
	Report  report.Report

	Items []review.Item // of the list
	Total int
	Why   review.Why
	Words string

	Item       review.Item
	Detail     review.Detail
	Choices    []review.Choice
	Text       string // of the file, to be edited
	Hash       string // of that
	Hidden     bool   // the file has characters that nobody sees
	Next, Prev string
	At         int
}

// show writes a page, or says that it cannot be made.
func (s *Server) show(w http.ResponseWriter, status int, name string, f frame) {
	f.Form = s.form
	s.mutex.Lock()
	if f.Decided = s.decided; f.Said == "" {
		f.Said, s.said = s.said, ""
	}
	s.mutex.Unlock()
	var page bytes.Buffer
	if err := pages().ExecuteTemplate(&page, name, f); err != nil {
		http.Error(w, "this page cannot be made", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // who has left is not told
}

// orFail shows why a page cannot be made. A page that returns an error has shown nothing.
func (s *Server) orFail(page func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := page(w, r); err != nil {
			s.refuse(w, http.StatusInternalServerError, err.Error())
		}
	}
}

func (s *Server) overview(w http.ResponseWriter, _ *http.Request) error {
	r, err := s.report()
	if err == nil {
		s.show(w, http.StatusOK, "overview", frame{Title: r.Project + ": lessons", Page: "report", Report: r})
	}
	return err
}

// filter is what of the queue a person wants to see.
type filter struct {
	why   review.Why
	words string
}

func filterOf(q url.Values) filter {
	return filter{review.Why(q.Get("why")), strings.TrimSpace(q.Get("words"))}
}

// items are those of the queue that the filter lets through.
func (s *Server) items(f filter) (shown []review.Item, total int, err error) {
	queue, err := s.desk.Queue()
	words := strings.Fields(strings.ToLower(f.words))
	return lists.Filter(queue, func(i review.Item) bool {
		text := strings.ToLower(i.Title + " " + i.Name)
		return (f.why == "" || i.Is(f.why)) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	}), len(queue), err
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) error {
	f := filterOf(r.URL.Query())
	items, total, err := s.items(f)
	if err == nil {
		s.show(w, http.StatusOK, "list", frame{Title: "Review", Page: "review", Items: items, Total: total, Why: f.why, Words: f.words})
	}
	return err
}

// key names an item in addresses and forms: nothing that it is called can be part of one, and
// no file is opened by what a request says.
func key(name string) string { return hashOf([]byte(name))[:16] }

// item shows one item of the queue.
func (s *Server) item(w http.ResponseWriter, r *http.Request) error {
	f := filterOf(r.URL.Query())
	items, total, err := s.items(f)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(items, func(i review.Item) bool { return key(i.Place) == r.URL.Query().Get("item") })
	if at < 0 {
		s.refuse(w, http.StatusNotFound, "Nothing of this name waits for review.")
		return nil
	}
	page := frame{Title: items[at].Title, Page: "review", Item: items[at], At: at + 1, Items: items, Total: total, Why: f.why, Words: f.words}
	page.Next, page.Prev = items[(at+1)%len(items)].Place, items[(at+len(items)-1)%len(items)].Place
	if page.Detail, err = s.desk.Detail(page.Item); err == nil && page.Item.Can(review.Merge) {
		page.Choices, err = s.desk.Others(page.Item)
	}
	if err == nil && page.Item.Can(review.Edit) {
		var text []byte
		text, _, err = s.desk.Text(page.Item)
		page.Text, page.Hash, page.Hidden = string(text), hashOf(text), plain.Visible(string(text)) != string(text)
	}
	if err == nil {
		s.show(w, http.StatusOK, "item", page)
	}
	return err
}
