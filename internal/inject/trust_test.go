package inject

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func hashOfTest(c string) string { return "sha256:" + strings.Repeat(c, 64) }

func TestWhatIsTrusted(t *testing.T) {
	var trust Trust
	trust.Accept("/accepted", time.Unix(5, 0))
	if err := trust.Add("/hashes", hashOfTest("a"), hashOfTest("b"), hashOfTest("a")); err != nil {
		t.Fatal(err)
	}
	data, err := trust.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	trust, err = ParseTrust(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		root string
		a    Applicant
		want bool
	}{
		{"/accepted", Applicant{hashOfTest("c"), "inform", false, true}, true},
		{"/accepted", Applicant{hashOfTest("c"), "stop-once", false, true}, true},
		{"/accepted", Applicant{hashOfTest("c"), "auto", false, true}, true},
		{"/accepted", Applicant{hashOfTest("c"), "auto", false, false}, false},
		{"/accepted", Applicant{hashOfTest("c"), "deny", false, true}, false},
		{"/accepted", Applicant{hashOfTest("c"), "rewrite", false, true}, false},
		{"/accepted", Applicant{hashOfTest("c"), "auto", true, true}, false},
		{"/hashes", Applicant{hashOfTest("a"), "deny", true, false}, true},
		{"/hashes", Applicant{hashOfTest("c"), "inform", false, true}, false},
		{"/hashes", Applicant{"", "inform", false, true}, false},
		{"/other", Applicant{hashOfTest("a"), "inform", false, true}, false},
	} {
		if got := trust.Trusts(c.root, c.a); got != c.want {
			t.Errorf("%s %+v: %v", c.root, c.a, got)
		}
	}
	trust.Drop("/accepted")
	if trust.Trusts("/accepted", Applicant{hashOfTest("c"), "inform", false, true}) {
		t.Error("Drop leaves something")
	}
	if !trust.Trusts("/hashes", Applicant{Hash: hashOfTest("a")}) {
		t.Error("Drop takes another tree's trust")
	}
	if trust.Add("/x", "sha256:short") == nil {
		t.Error("took something for a hash")
	}
}

func TestATrustFileThatOthersCouldHaveWrittenIsNotBelieved(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "trust.json")
	if trust, err := ReadTrust(name); err != nil || len(trust.Trees) != 0 {
		t.Error("a missing file is no trust and no error", err)
	}
	var trust Trust
	trust.Accept("/r", time.Unix(5, 0))
	data, err := trust.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	asks := Applicant{hashOfTest("c"), "inform", false, true}
	if trust, err := ReadTrust(name); err != nil || !trust.Trusts("/r", asks) {
		t.Error(err)
	}
	if err := os.Symlink(name, name+"2"); err != nil {
		t.Fatal(err)
	}
	if trust, err := ReadTrust(name + "2"); err == nil || trust.Trusts("/r", asks) {
		t.Error("believed a link")
	}
	if err := os.Chmod(name, 0o666); err != nil {
		t.Fatal(err)
	}
	if trust, err := ReadTrust(name); err == nil || trust.Trusts("/r", asks) {
		t.Error("believed a file that everyone can write")
	}
}

func FuzzParseTrust(f *testing.F) {
	f.Add([]byte(`{"version":1,"trees":{"/r":{"accepted":"2026-01-01T00:00:00Z","hashes":["sha256:0"]}}}`))
	f.Add([]byte(`{"version":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		trust, err := ParseTrust(data)
		if err != nil && len(trust.Trees) > 0 {
			t.Error("an unreadable file trusts something")
		}
		if again, err := trust.Bytes(); err != nil {
			t.Error(err)
		} else if _, err := ParseTrust(again); err != nil {
			t.Error(err)
		}
	})
}
