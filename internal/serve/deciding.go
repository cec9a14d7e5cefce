package serve

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/review"
)

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// decide carries out what a form says about an item of the queue, and goes on with the next.
func (s *Server) decide(w http.ResponseWriter, r *http.Request) error {
	f := filterOf(r.PostForm)
	items, _, err := s.items(f)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(items, func(i review.Item) bool { return key(i.Place) == r.PostForm.Get("item") })
	verb := review.Verb(r.PostForm.Get("verb"))
	if at < 0 || !items[at].Can(verb) {
		s.refuse(w, http.StatusConflict, "This does not wait for review any more, or not for that.")
		return nil
	}
	d := review.Decision{Item: items[at], Verb: verb, Reason: r.PostForm.Get("reason")}
	if verb == review.Edit {
		if d.Before, d.After, err = s.edited(d.Item, r.PostForm); err != nil {
			return err
		}
		if hashOf(d.Before) != r.PostForm.Get("hash") {
			s.refuse(w, http.StatusConflict, "The file changed meanwhile. What you typed is kept in "+s.keep(path.Base(d.Item.Path), d.After)+".")
			return nil
		}
	}
	if verb == review.Merge {
		if d.Into, err = s.chosen(d.Item, r.PostForm.Get("into")); err != nil {
			return err
		}
	}
	done, err := s.desk.Decide(d)
	if err != nil {
		why := err.Error()
		if verb == review.Edit {
			why += ". What you typed is kept in " + s.keep(path.Base(d.Item.Path), d.After)
		}
		s.refuse(w, http.StatusConflict, why)
		return nil
	}
	s.tell(done, 1)
	next := at + 1
	if verb == review.Edit {
		next = at
	}
	if len(items) == 1 && verb != review.Edit {
		s.redirect(w, r, "/review", f, "")
		return nil
	}
	s.redirect(w, r, "/item", f, key(items[next%len(items)].Place))
	return nil
}

// chosen is the name of the item to merge with that a form means.
func (s *Server) chosen(i review.Item, into string) (string, error) {
	choices, err := s.desk.Others(i)
	for _, c := range choices {
		if key(c.Name) == into {
			return c.Name, nil
		}
	}
	return "", cmp.Or(err, errNoChoice)
}

var errNoChoice = errors.New("there is nothing of this name to merge it with")

// edited is the file as it is and as the person wants it. A browser ends lines in CR LF,
// whatever the file does.
func (s *Server) edited(i review.Item, form url.Values) (before, after []byte, err error) {
	before, _, err = s.desk.Text(i)
	text := strings.ReplaceAll(form.Get("text"), "\r\n", "\n")
	if strings.Contains(string(before), "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return before, []byte(text), err
}

func (s *Server) undo(w http.ResponseWriter, r *http.Request) {
	item, done, err := s.desk.Undo()
	if err != nil {
		s.refuse(w, http.StatusConflict, err.Error())
		return
	}
	s.tell(done, -1)
	s.redirect(w, r, "/item", filter{}, key(item.Place))
}

// tell keeps what was done for the next page.
func (s *Server) tell(done review.Done, decided int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.said, s.decided = strings.Join(done.Said, "; "), s.decided+decided
}

func (s *Server) redirect(w http.ResponseWriter, r *http.Request, page string, f filter, item string) {
	q := url.Values{}
	for name, value := range map[string]string{"item": item, "why": string(f.why), "words": f.words} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) > 0 {
		page += "?" + q.Encode()
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
}
