// Package serve shows the report and the review as pages to the person at this machine. It
// listens nowhere itself; what it answers has no script, asks for nothing from elsewhere,
// and changes something only when a form of its own is sent.
package serve

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"path"
	"sync"

	"github.com/lessons-cli/lessons/internal/report"
	"github.com/lessons-cli/lessons/internal/review"
)

// Server answers one person.
type Server struct {
	desk   review.Desk
	report func() (report.Report, error)
	keep   func(name string, text []byte) string
	host   string // and port: where the person's browser reaches it

	cookie string // of the browser that was let in
	form   string // in every form, so that no other page can send one

	mutex   sync.Mutex
	token   string // lets one browser in; empty: it did
	said    string // what came of the last form, until it is shown
	decided int    // and not taken back
}

// New makes a server for a host as browsers name it, 127.0.0.1:8080, with secrets of its own.
func New(host string, desk review.Desk, report func() (report.Report, error), keep func(name string, text []byte) string, random io.Reader) (*Server, error) {
	s := &Server{desk: desk, report: report, keep: keep, host: host}
	for _, secret := range []*string{&s.token, &s.cookie, &s.form} {
		var raw [24]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return nil, fmt.Errorf("no secret can be made: %w", err)
		}
		*secret = base64.RawURLEncoding.EncodeToString(raw[:])
	}
	return s, nil
}

// URL is where the person enters, once.
func (s *Server) URL() string { return "http://" + s.host + "/enter?token=" + s.token }

const cookieName = "lessons"

// maxForm is how large a form may be, in bytes.
const maxForm = 1 << 20

// ServeHTTP answers a request that comes from the person's own browser and from a page of
// this server, and refuses every other.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers() {
		w.Header().Set(name, value)
	}
	if status, why := s.refusal(r); why != "" {
		s.refuse(w, status, why)
		return
	}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			s.refuse(w, http.StatusBadRequest, "The form cannot be read: "+err.Error())
			return
		}
		if !same(r.PostForm.Get("form"), s.form) {
			s.refuse(w, http.StatusForbidden, "The form is none of this server.")
			return
		}
	}
	s.routes().ServeHTTP(w, r)
}

// refusal says why a request is not answered, if it is not.
func (s *Server) refusal(r *http.Request) (status int, why string) {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	own := "http://" + s.host
	switch {
	case r.Host != s.host:
		return http.StatusMisdirectedRequest, "This server is not " + r.Host + "."
	case origin != "" && origin != own, r.Method == http.MethodPost && origin != own:
		return http.StatusForbidden, "The request comes from another page."
	case site != "" && site != "same-origin" && site != "none":
		return http.StatusForbidden, "The request comes from another site."
	case path.Clean(r.URL.EscapedPath()) != r.URL.EscapedPath():
		return http.StatusNotFound, "There is no such page."
	case r.URL.Path == "/enter":
		return 0, ""
	}
	if c, err := r.Cookie(cookieName); err != nil || !same(c.Value, s.cookie) {
		return http.StatusForbidden, "Nobody let this browser in. The address that lessons serve prints does, once; run it again for a new one."
	}
	return 0, ""
}

func same(a, b string) bool { return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// routes are the pages.
func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /enter", s.enter)
	mux.HandleFunc("GET /{$}", s.orFail(s.overview))
	mux.HandleFunc("GET /review", s.orFail(s.list))
	mux.HandleFunc("GET /item", s.orFail(s.item))
	mux.HandleFunc("POST /decide", s.orFail(s.decide))
	mux.HandleFunc("POST /undo", s.undo)
	return mux
}

// enter lets a browser in that has the token. The token is used up by that.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	ok := same(r.URL.Query().Get("token"), s.token)
	if ok {
		s.token = ""
	}
	s.mutex.Unlock()
	if !ok {
		s.refuse(w, http.StatusForbidden, "This token is wrong, or was used already. Run lessons serve again for a new one.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: s.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	// A redirect would be part of the navigation that another program began, for which a
	// browser may keep a strict cookie back: the person goes on with a click.
	s.show(w, http.StatusOK, "entered", frame{Title: "lessons"})
}

func (s *Server) refuse(w http.ResponseWriter, status int, why string) {
	s.show(w, status, "refused", frame{Title: "Refused", Said: why})
}
