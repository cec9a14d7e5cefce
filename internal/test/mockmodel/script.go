package mockmodel

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// Model is a scripted model whatever its protocol.
type Model struct {
	*httptest.Server
	// Bare takes requests that offer no tools for the conversation, too. Set it
	// before the first request.
	Bare     bool
	mu       sync.Mutex
	script   []Turn
	requests []string
	calls    int
	nonce    string // makes ids of two servers differ, as the real ones do
}

func newModel(script []Turn) *Model { return &Model{script: script, nonce: rand.Text()[:12]} }

// Requests are the bodies of the conversation's requests so far.
func (m *Model) Requests() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.requests...)
}

// Saw says whether some request of the conversation holds the text.
func (m *Model) Saw(text string) bool { return m.Count(text) > 0 }

// Count is the number of requests that hold the text.
func (m *Model) Count(text string) int {
	quoted, _ := json.Marshal(text)
	inner := strings.Trim(string(quoted), `"`)
	n := 0
	for _, r := range m.Requests() {
		if strings.Contains(r, text) || strings.Contains(r, inner) {
			n++
		}
	}
	return n
}

// turn reads a request and takes the next turn. One that offers no tools is not
// the conversation itself. ok is false when it was answered with an error.
func (m *Model) turn(w http.ResponseWriter, r *http.Request) (turn Turn, ok bool) {
	text, ok := body(w, r)
	if !ok {
		return Turn{}, false
	}
	var request struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal([]byte(text), &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return Turn{}, false
	}
	return m.next(text, len(request.Tools) > 0), true
}

// next takes the next turn; a request that is not the conversation itself uses
// nothing up.
func (m *Model) next(body string, conversation bool) Turn {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !conversation && !m.Bare {
		return Turn{Text: "ok"}
	}
	m.requests = append(m.requests, body)
	if len(m.script) == 0 {
		return Turn{Text: "done"}
	}
	turn := m.script[0]
	m.script = m.script[1:]
	return turn
}

// id makes a name that no other server and no earlier call has.
func (m *Model) id(prefix string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	return fmt.Sprintf("%s%s%04d", prefix, m.nonce, m.calls)
}

// body reads a request; ok is false when it was answered with an error.
func body(w http.ResponseWriter, r *http.Request) (text string, ok bool) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return "", false
	}
	return string(data), true
}

// serve starts the server; whatever is not of the protocol gets an empty object.
func (m *Model) serve(mux *http.ServeMux) *Model {
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	m.Server = httptest.NewServer(mux)
	return m
}

// arguments are a tool's input as a JSON text.
func arguments(t Tool) string {
	data, _ := json.Marshal(t.Input) // made of plain values by the test
	return string(data)
}
