package entry

import "testing"

func TestAppendManyIsAppendOneByOne(t *testing.T) {
	for _, start := range []string{"", "# Mine\r\n\r\nText\r\n"} {
		b, _ := ParseBook(DecisionsPath, []byte(start))
		if start == "" {
			b, _ = ParseBook(DecisionsPath, nil)
		}
		many := b.Append(adrEntry(1, "One", "Accepted"), adrEntry(2, "Two", "Accepted"))
		first, _ := ParseBook(DecisionsPath, b.Append(adrEntry(1, "One", "Accepted")))
		if each := first.Append(adrEntry(2, "Two", "Accepted")); string(each) != string(many) {
			t.Errorf("got\n%q, want\n%q", many, each)
		}
	}
}
