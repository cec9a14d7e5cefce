package kit

import "testing"

func TestValidPage(t *testing.T) {
	for page, valid := range map[string]bool{
		`<!DOCTYPE html><p id="a">x<br/></p>`:                         true,
		`<p><b>x</p></b>`:                                             false,
		`<p>x`:                                                        false,
		`<p><b id="a"/><i id="a"/></p>`:                               false,
		`<img src="x"/>`:                                              false,
		`<img src="x" alt="a dog"/>`:                                  true,
		`<form><input name="a"/></form>`:                              false,
		`<form><label>A <input name="a"/></label></form>`:             true,
		`<form><label for="a">A</label><textarea id="a"/></form>`:     true,
		`<form><input type="hidden"/><select aria-label="A"/></form>`: true,
	} {
		if err := ValidPage(page); (err == nil) != valid {
			t.Errorf("%s: %v", page, err)
		}
	}
}
