package serve

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/report"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/test/kit"
)

// desk remembers what was decided. Nothing else of it changes.
type desk struct {
	queue   []review.Item
	text    string
	decided []review.Decision
	undone  int
	fails   error
}

func (d *desk) Queue() ([]review.Item, error) { return d.queue, nil }
func (d *desk) Detail(i review.Item) (review.Detail, error) {
	return review.Detail{Agent: i.Title, Text: i.Title, Quotes: []string{i.Title}, When: i.Title, Other: i.Title + " else", OtherName: i.Title}, nil
}
func (d *desk) Text(review.Item) ([]byte, int, error) { return []byte(d.text), 1, nil }
func (d *desk) Decide(one review.Decision) (review.Done, error) {
	if d.fails == nil {
		d.decided = append(d.decided, one)
	}
	return review.Done{Said: []string{one.Item.Title + " is done"}}, d.fails
}

func (d *desk) Undo() (review.Item, review.Done, error) {
	d.undone++
	return d.queue[0], review.Done{Said: []string{"undone"}}, nil
}

func (d *desk) Others(i review.Item) ([]review.Choice, error) {
	return []review.Choice{{Name: "Two", Title: i.Title}}, nil
}

var all = []review.Verb{review.Accept, review.Edit, review.Merge, review.Archive, review.Delete}

func newDesk() *desk {
	d := &desk{text: "# One\n"}
	for _, title := range []string{"One", "Two", "Three <script>alert(1)</script>\x1b[31m\u202e"} {
		d.queue = append(d.queue, review.Item{Place: ".lessons/" + title + ".md", Path: ".lessons/" + title + ".md", Name: title, Title: title, Reasons: []review.Reason{{Why: review.Draft, Text: title}}, Verbs: all})
	}
	d.queue[1].Reasons[0].Why, d.queue[1].Verbs = review.Withdrawn, []review.Verb{review.Archive}
	return d
}

const host = "127.0.0.1:8123"

// browser is one that keeps its cookie.
type browser struct {
	t      *testing.T
	server *Server
	cookie string
}

func open(t *testing.T, d *desk) *browser {
	t.Helper()
	made := 0
	s, err := New(host, d, func() (report.Report, error) { return report.Report{Project: d.queue[2].Title}, nil }, func(string, []byte) string { return "/kept" }, io.Reader(reader(func(p []byte) (int, error) {
		made++
		for i := range p {
			p[i] = byte(made*31 + i)
		}
		return len(p), nil
	})))
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, server: s}
}

type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// request is one as the person's browser sends it.
func (b *browser) request(method, target string, form url.Values) *http.Request {
	r := httptest.NewRequest(method, "http://"+host+target, strings.NewReader(form.Encode()))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "http://"+host)
	}
	if b.cookie != "" {
		r.Header.Set("Cookie", b.cookie)
	}
	return r
}

func (b *browser) send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.server.ServeHTTP(w, r)
	if c := w.Result().Cookies(); len(c) > 0 {
		b.cookie = c[0].Name + "=" + c[0].Value
	}
	return w
}

func (b *browser) get(target string) *httptest.ResponseRecorder {
	return b.send(b.request("GET", target, nil))
}

func (b *browser) enter() {
	b.t.Helper()
	if w := b.get(strings.TrimPrefix(b.server.URL(), "http://"+host)); w.Code != http.StatusOK {
		b.t.Fatalf("not let in: %d", w.Code)
	}
}

func (b *browser) form(values ...string) url.Values {
	form := url.Values{"form": {b.server.form}, "item": {key(".lessons/One.md")}}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	return form
}

// Every request that is not the person's own browser, on a page of this server, is refused and
// changes nothing.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(b *browser) *http.Request
		want int
	}{
		{"no cookie", func(b *browser) *http.Request { b.cookie = ""; return b.request("GET", "/", nil) }, 403},
		{"another cookie", func(b *browser) *http.Request { b.cookie = "lessons=guess"; return b.request("GET", "/review", nil) }, 403},
		{"no token", func(b *browser) *http.Request { return b.request("GET", "/enter", nil) }, 403},
		{"the wrong token", func(b *browser) *http.Request { return b.request("GET", "/enter?token=guess", nil) }, 403},
		{"an empty token", func(b *browser) *http.Request { return b.request("GET", "/enter?token=", nil) }, 403},
		{"another host", func(b *browser) *http.Request {
			r := b.request("GET", "/", nil)
			r.Host = "rebound.example:8123"
			return r
		}, 421},
		{"another port", func(b *browser) *http.Request { r := b.request("GET", "/", nil); r.Host = "127.0.0.1:80"; return r }, 421},
		{"a name for this machine", func(b *browser) *http.Request { r := b.request("GET", "/", nil); r.Host = "localhost:8123"; return r }, 421},
		{"another origin reads", func(b *browser) *http.Request {
			r := b.request("GET", "/", nil)
			r.Header.Set("Origin", "http://evil.example")
			return r
		}, 403},
		{"another origin sends", func(b *browser) *http.Request {
			r := b.request("POST", "/decide", b.form("verb", "accept"))
			r.Header.Set("Origin", "http://evil.example")
			return r
		}, 403},
		{"a page of nowhere sends", func(b *browser) *http.Request {
			r := b.request("POST", "/decide", b.form("verb", "accept"))
			r.Header.Set("Origin", "null")
			return r
		}, 403},
		{"nobody says where a form comes from", func(b *browser) *http.Request {
			r := b.request("POST", "/decide", b.form("verb", "accept"))
			r.Header.Del("Origin")
			return r
		}, 403},
		{"a link elsewhere", func(b *browser) *http.Request {
			r := b.request("GET", "/review", nil)
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			return r
		}, 403},
		{"another port of this machine", func(b *browser) *http.Request {
			r := b.request("GET", "/review", nil)
			r.Header.Set("Sec-Fetch-Site", "same-site")
			return r
		}, 403},
		{"a form without its secret", func(b *browser) *http.Request {
			return b.request("POST", "/decide", b.form("verb", "accept", "form", ""))
		}, 403},
		{"a form with another secret", func(b *browser) *http.Request { return b.request("POST", "/undo", b.form("form", "guess")) }, 403},
		{"the secret in the address", func(b *browser) *http.Request {
			return b.request("POST", "/decide?form="+b.server.form+"&verb=accept&item="+key(".lessons/One.md"), url.Values{"a": {"b"}})
		}, 403},
		{"a GET that decides", func(b *browser) *http.Request {
			return b.request("GET", "/decide?"+b.form("verb", "accept").Encode(), nil)
		}, 405},
		{"a GET that takes back", func(b *browser) *http.Request { return b.request("GET", "/undo?"+b.form().Encode(), nil) }, 405},
		{"PUT", func(b *browser) *http.Request { return b.request("PUT", "/decide", b.form("verb", "accept")) }, 405},
		{"DELETE", func(b *browser) *http.Request { return b.request("DELETE", "/review", nil) }, 405},
		{"a path above", func(b *browser) *http.Request { return b.request("GET", "/../../etc/passwd", nil) }, 404},
		{"a path above, encoded", func(b *browser) *http.Request { return b.request("GET", "/%2e%2e/%2e%2e/etc/passwd", nil) }, 404},
		{"a path beside", func(b *browser) *http.Request { return b.request("GET", "/review/../undo", nil) }, 404},
		{"two slashes", func(b *browser) *http.Request { return b.request("GET", "//review", nil) }, 404},
		{"a file of the repository", func(b *browser) *http.Request { return b.request("GET", "/.lessons/One.md", nil) }, 404},
		{"a place outside", func(b *browser) *http.Request { return b.request("GET", "/item?item=../../etc/passwd", nil) }, 404},
		{"a file that does not wait", func(b *browser) *http.Request { return b.request("GET", "/item?item="+key("go.mod"), nil) }, 404},
		{"a decision about a file that does not wait", func(b *browser) *http.Request {
			return b.request("POST", "/decide", b.form("verb", "delete", "reason", "x", "item", key("go.mod")))
		}, 409},
		{"a verb that is not for the item", func(b *browser) *http.Request {
			return b.request("POST", "/decide", b.form("verb", "delete", "reason", "x", "item", key(".lessons/Two.md")))
		}, 409},
		{"no verb", func(b *browser) *http.Request { return b.request("POST", "/decide", b.form()) }, 409},
		{"an edit of an older text", func(b *browser) *http.Request {
			return b.request("POST", "/decide", b.form("verb", "edit", "text", "x", "hash", hashOf([]byte("older"))))
		}, 409},
		{"a form of two megabytes", func(b *browser) *http.Request {
			return b.request("POST", "/decide", b.form("verb", "edit", "text", strings.Repeat("x", 2<<20)))
		}, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk()
			b := open(t, d)
			b.enter()
			w := b.send(c.make(b))
			if w.Code != c.want {
				t.Errorf("status %d, want %d: %s", w.Code, c.want, w.Body)
			}
			if len(d.decided) > 0 || d.undone > 0 {
				t.Errorf("it did something: %v", d.decided)
			}
			if body := w.Body.String(); strings.Contains(body, b.server.form) && w.Code == 403 && b.cookie == "" {
				t.Error("a stranger sees the secret of forms")
			}
		})
	}
}

// The token lets one browser in, and is worth nothing afterwards.
func TestTokenWorksOnce(t *testing.T) {
	b := open(t, newDesk())
	address := strings.TrimPrefix(b.server.URL(), "http://"+host)
	r := b.request("GET", address, nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := b.send(r); w.Code != http.StatusForbidden {
		t.Errorf("a page elsewhere entered: %d", w.Code)
	}
	b.enter()
	if !strings.HasPrefix(b.cookie, "lessons=") {
		t.Fatalf("the cookie: %q", b.cookie)
	}
	if w := b.get("/"); w.Code != http.StatusOK {
		t.Errorf("the report: %d", w.Code)
	}
	if w := (&browser{t: t, server: b.server}).get(address); w.Code != http.StatusForbidden || w.Result().Header.Get("Set-Cookie") != "" {
		t.Errorf("a second browser: %d", w.Code)
	}
}

// No page loads, runs or shows anything that is not its own, whatever a title says.
func TestPagesAreInert(t *testing.T) {
	d := newDesk()
	b := open(t, d)
	for _, target := range []string{"/enter?token=" + b.server.token, "/", "/review", "/review?why=draft&words=%3Cb%3E", "/item?item=" + key(d.queue[2].Place), "/item?item=none"} {
		w := b.get(target)
		body, head := w.Body.String(), w.Result().Header
		if err := kit.ValidPage(body); err != nil {
			t.Errorf("%s: %v", target, err)
		}
		for _, bad := range []string{"<script", "javascript:", "\x1b", "\u202e", "http://", "https://", "<b>", " onclick", " style="} {
			if strings.Contains(body, bad) {
				t.Errorf("%s holds %q", target, bad)
			}
		}
		for name, value := range headers() {
			if head.Get(name) != value {
				t.Errorf("%s: %s is %q", target, name, head.Get(name))
			}
		}
		if policy := head.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", target, policy)
		}
		if !strings.Contains(body, "<style>"+string(style())+"</style>") {
			t.Errorf("%s has another style sheet than its policy names", target)
		}
	}
}

func TestDecisions(t *testing.T) {
	d := newDesk()
	b := open(t, d)
	b.enter()
	for _, c := range []struct {
		form url.Values
		next string
	}{
		{b.form("verb", "accept"), "/item?item=" + key(".lessons/Two.md")},
		{b.form("verb", "archive", "item", key(".lessons/Two.md"), "why", "withdrawn"), "/review?why=withdrawn"},
		{b.form("verb", "delete", "reason", "no use"), "/item?item=" + key(".lessons/Two.md")},
		{b.form("verb", "merge", "into", key("Two")), "/item?item=" + key(".lessons/Two.md")},
		{b.form("verb", "edit", "text", "# Two\r\n", "hash", hashOf([]byte(d.text))), "/item?item=" + key(".lessons/One.md")},
	} {
		w := b.send(b.request("POST", "/decide", c.form))
		if w.Code != http.StatusSeeOther || w.Result().Header.Get("Location") != c.next {
			t.Errorf("%v: %d, %s", c.form, w.Code, w.Result().Header.Get("Location"))
		}
	}
	verbs := []review.Verb{}
	for _, one := range d.decided {
		verbs = append(verbs, one.Verb)
	}
	if !slices.Equal(verbs, []review.Verb{review.Accept, review.Archive, review.Delete, review.Merge, review.Edit}) {
		t.Fatalf("decided: %v", verbs)
	}
	if d.decided[2].Reason != "no use" || d.decided[3].Into != "Two" || string(d.decided[4].After) != "# Two\n" || string(d.decided[4].Before) != d.text {
		t.Errorf("decided: %+v", d.decided)
	}
	if page := b.get("/review").Body.String(); !strings.Contains(page, "One is done. Nothing is committed.") || strings.Contains(b.get("/review").Body.String(), "is done") {
		t.Error("what was done is not told once")
	}
	if w := b.send(b.request("POST", "/undo", b.form())); w.Code != http.StatusSeeOther || d.undone != 1 {
		t.Errorf("undo: %d", w.Code)
	}
	d.fails = errors.New("it cannot be read")
	w := b.send(b.request("POST", "/decide", b.form("verb", "edit", "text", "x", "hash", hashOf([]byte(d.text)))))
	if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "it cannot be read. What you typed is kept in /kept") {
		t.Errorf("a refused edit: %d %s", w.Code, w.Body)
	}
}

// The list shows what the filter asks for.
func TestFilter(t *testing.T) {
	b := open(t, newDesk())
	b.enter()
	for target, want := range map[string]string{"/review": "3 of 3", "/review?why=draft": "2 of 3", "/review?words=one": "1 of 3", "/review?why=stale": "Nothing of that waits."} {
		if page := b.get(target).Body.String(); !strings.Contains(page, want) {
			t.Errorf("%s does not say %q", target, want)
		}
	}
}
