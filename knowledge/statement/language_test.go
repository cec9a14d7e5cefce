package statement

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/phrases"
)

// A section whose name is misspelt would never be asked, and one whose expression does not
// compile would stop the program where it is first used.
func TestLanguages(t *testing.T) {
	fields := reflect.TypeFor[language]()
	patterns := []string{}
	for i := range fields.NumField() {
		if fields.Field(i).Type == reflect.TypeOf(language{}.asks) {
			patterns = append(patterns, fields.Field(i).Name)
		}
	}
	optional := map[string]bool{}
	for name, text := range map[string]string{"chinese": chinese, "english": english, "german": german, "japanese": japanese, "spanish": spanish} {
		f := phrases.Must(text)
		for _, section := range f.Names() {
			if strings.HasPrefix(section, "define ") {
				continue
			}
			if _, ok := fields.FieldByName(section); !ok {
				t.Errorf("%s: no field for the section %s", name, section)
			}
			for _, s := range f.Sections(section) {
				if _, err := regexp.Compile(s.Expr()); err != nil {
					t.Errorf("%s: section %s: %v", name, section, err)
				}
			}
		}
		for _, p := range patterns {
			optional[p] = optional[p] || !slices.Contains(f.Names(), p)
		}
	}
	for _, p := range []string{"asks", "because", "choice", "habit", "lead", "not", "order", "reason", "standing", "touch", "wishes"} {
		if optional[p] {
			t.Errorf("a language has no section %s", p)
		}
	}
	for _, p := range patterns {
		if !slices.Contains(phrases.Must(english).Names(), p) {
			t.Errorf("English has no section %s", p)
		}
	}
}
