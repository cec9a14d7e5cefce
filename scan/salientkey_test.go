package scan

import "testing"

func TestNoLineOfAKeyIsSalient(t *testing.T) {
	const begin, end = "-----BEGIN " + "RSA PRIVATE KEY-----\n", "-----END " + "RSA PRIVATE KEY-----\n"
	for text, want := range map[string]string{
		begin + "MIIerrorfailQ\nunknownAAAA\n" + end + "cannot load the key\n":                      "cannot load the key",
		"reading\n" + begin + "MIIerror: failQ\n":                                                   "reading",
		begin + "MIIerror: x\n" + end + begin + "MIIfatal: y\n" + end + "error: two keys in a file": "error: two keys in a file",
		begin + "MIIerror: x\n" + end:                                                               "",
	} {
		if got := salientLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
