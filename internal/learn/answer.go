package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxAnswer is the greatest length of an answer in bytes.
const maxAnswer = 256 << 10

var schema = sync.OnceValues(func() (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(answerSchema), &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
})

// Item is what a model says about episodes that belong together: something to know,
// something that is known, or nothing.
type Item struct {
	Episodes []string `json:"episodes"`
	None     string   `json:"none"`
	Known    string   `json:"known"`
	Nature   string   `json:"nature"`
	Title    string   `json:"title"`
	Mistake  string   `json:"mistake"`
	Fix      string   `json:"fix"`
	Why      string   `json:"why"`
	Trigger  string   `json:"trigger"`
	Quotes   []string `json:"quotes"`
}

// ParseAnswer reads an answer: one JSON object of the schema, alone, in a code
// fence or between words. The error says, for the model, what is wrong with it.
func ParseAnswer(text string) ([]Item, error) {
	if len(text) > maxAnswer {
		return nil, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	raw, err := object(text)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	rules, err := schema()
	if err != nil {
		return nil, err
	}
	if err := rules.Validate(value); err != nil {
		return nil, fmt.Errorf("the answer does not fit the schema: %s", shortReason(err))
	}
	var answer struct {
		Items []Item `json:"items"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("the answer does not fit the schema: %w", err)
	}
	return answer.Items, nil
}

var errNoObject = errors.New(`the answer holds no JSON object with "items"`)

// maxStarts is how many braces are tried as the beginning of the object.
const maxStarts = 50

// object finds the JSON object that the answer is.
func object(text string) ([]byte, error) {
	from := 0
	for range maxStarts {
		at := strings.IndexByte(text[from:], '{')
		if at < 0 {
			break
		}
		from += at
		var raw json.RawMessage
		err := json.NewDecoder(strings.NewReader(text[from:])).Decode(&raw)
		if err == nil && bytes.Contains(raw, []byte(`"items"`)) {
			return raw, nil
		}
		from++
	}
	return nil, errNoObject
}

// shortReason is the end of a validation error, which names the place last.
func shortReason(err error) string {
	text := err.Error()
	if len(text) > 300 {
		text = "…" + strings.ToValidUTF8(text[len(text)-300:], "")
	}
	return strings.Join(strings.Fields(text), " ")
}
