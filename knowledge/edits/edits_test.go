package edits

import "testing"

const check = "Check with `make lint` before you finish"

func TestTell(t *testing.T) {
	for _, c := range []struct {
		name  string
		mends []string
		want  string
	}{
		{"nothing", []string{check, ""}, ""},
		{"one edit", []string{"Write `a := 1` instead of `b := 1`"}, "For example, write `a := 1` instead of `b := 1`"},
		{"the one that is like the others", []string{
			"Write `x` instead of `y`", "Write `return wrap(err)` instead of `return err`", "Write `return nil, wrap(saveErr)` instead of `return nil, saveErr`",
		}, "For example, write `return wrap(err)` instead of `return err`"},
		{"one that uses what it brought", []string{
			"Write `a, err := read(); if err != nil { a = nil }` instead of `a, _ := read()`", "Write `b, err := open(); if err != nil { t.Fatal(err) }` instead of `b, _ := open()`",
		}, "For example, write `b, err := open(); if err != nil { t.Fatal(err) }` instead of `b, _ := open()`"},
		{"what there is most of", []string{"Add `case Two:`", "Add `case Three:`", "Write `x` instead of `y`"}, "For example, add `case Two:`"},
		{"a replaced line before an added one", []string{"Add `case Two:`", "Write `x` instead of `y`"}, "For example, write `x` instead of `y`"},
		{"deleted", []string{"Delete `func a() {`", "Delete `func b() {`", check}, "Delete what it reports"},
	} {
		if got := Tell(c.mends, 1); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLone(t *testing.T) {
	const edit = "Write `a` instead of `b`"
	for _, c := range []struct {
		mends []string
		want  bool
	}{
		{nil, false},
		{[]string{edit}, false},
		{[]string{edit, edit}, false}, // two sessions did the same
		{[]string{edit, check}, true},
		{[]string{edit, check, "Add `c`"}, false},
	} {
		if got := Lone(c.mends); got != c.want {
			t.Errorf("%q: %v", c.mends, got)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		mends []string
		want  bool
	}{
		{[]string{check}, false},
		{[]string{"Write `a` instead of `b`"}, true},
		{[]string{"Write `x as unknown as A` instead of `x as A`", "Write `y as unknown as B` instead of `y as B`"}, true},
		{[]string{"Write `total: number` instead of `total: string`", "Write `pay(cart.id)` instead of `pay(cart)`"}, false},
		{[]string{"Write `x?.y` instead of `x.y`", "Write `a?.b` instead of `a.b`", "Write `c = 1` instead of `c = 2`"}, true},
	} {
		if got := Alike(c.mends); got != c.want {
			t.Errorf("%q: %v", c.mends, got)
		}
	}
}
