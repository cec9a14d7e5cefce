package shell

import "testing"

// A pipe hides the exit status of all but its last command, so such a call is
// never known to have succeeded.
func TestMaskedFailureIsNoSuccess(t *testing.T) {
	for line, want := range map[string]bool{
		"go test ./...":                               false,
		"cd x && go test ./...":                       false,
		"cd x; go test ./...":                         false,
		"FOO=1 go test ./...":                         false,
		"go test ./... && echo ok":                    false,
		"go test ./... | tail":                        true,
		"go test ./... 2>&1 | tee log":                true,
		"go test ./... |& head":                       true,
		"set -o pipefail; go test ./... | tail":       false,
		"set -euo pipefail\ngo test ./... | tail\nls": false,
		"echo hi | jq .":                              false,
		"printf x | go run . | cat":                   true,
		"make || true":                                true,
		"make || echo failed":                         true,
		"make || exit 1":                              false,
		"make || exit 0":                              true,
		"make || { echo no; exit 1; }":                false,
		"make || make clean":                          true,
		"make; true":                                  true,
		"make; echo $?":                               true,
		"make\nls":                                    true,
		"set -e; make; ls":                            false,
		"set -e\nmake | cat\nls":                      true,
		"make &":                                      true,
		"bash -c 'make | tail'":                       true,
		"bash -c 'make'; true":                        true,
		"sudo bash -c 'cd x; make'":                   false,
		"(set -e); make; ls":                          true,
		"(cd x && make)":                              false,
		"(make; ls)":                                  true,
		"if make; then echo ok; fi":                   true,
		"if [ -f x ]; then make; fi":                  false,
		"for f in *.go; do go vet $f; done":           true,
		"for f in *.go; do echo $f; done":             false,
		"time make":                                   false,
		"git commit -m 'a | b'":                       false,
		"cat <<'X' > f\na | b; c\nX":                  false,
		"! make":                                      false,
		"":                                            false,
		"echo 'unclosed | x":                          true,
		"x=$(make | tail); test -n \"$x\"":            false,
	} {
		if got := Parse(line).Masked; got != want {
			t.Errorf("%q: masked is %v", line, got)
		}
	}
}

func TestExpectedStatuses(t *testing.T) {
	for _, tt := range []struct {
		line string
		exit int
		want bool
	}{
		{"rg foo", 1, true},
		{"sudo rg foo", 1, true},
		{"/usr/bin/grep x y", 1, true},
		{"rg foo", 2, false},
		{"cat x | grep y", 1, true},
		{"timeout 5 pgrep x", 1, true},
		{"command -v go", 1, true},
		{"which go", 1, true},
		{"go vet | cat", 1, false},
		{"jq -e .a f", 1, true},
		{"jq .a f", 1, false},
		{"git merge-base --is-ancestor a b", 1, true},
		{"git grep x", 1, true},
		{"git status", 1, false},
		{"[[ -f x ]]", 1, true},
		{"test -f x && go build", 1, false},
		{"grep a b || go build", 1, false},
		{"grep a b; diff c d", 1, true},
		{"env A=1 diff a b", 1, true},
		{"bash -c 'cd x && grep a b'", 1, true},
		{"ls | xargs grep x", 1, false},
		{"find . -exec grep x {} +", 1, false},
		{"$TOOL/grep x", 1, false},
		{"cd nowhere", 1, false},
		{"", 1, false},
		{"grep 'unclosed", 1, false},
		{"systemctl is-active x", 3, true},
		{"terraform plan -detailed-exitcode", 2, true},
	} {
		if got := Parse(tt.line).Answers(tt.exit, false); got != tt.want {
			t.Errorf("%q with %d: expected is %v", tt.line, tt.exit, got)
		}
	}
}

func TestWhereCommandsStand(t *testing.T) {
	for line, want := range map[string]Place{
		"a":                         0,
		"a | b":                     Piped,
		"b | a":                     0,
		"! a":                       Negated,
		"a &":                       Background,
		"(a; b) &":                  Background,
		"b $(a)":                    Substituted,
		"b <(a)":                    Substituted,
		"if a; then b; fi":          Conditional,
		"for x in y; do a; done":    Conditional,
		"b $(! a | c)":              Substituted | Negated | Piped,
		"bash -c 'a | b' &":         Piped | Background,
		"while ! a; do b; done | c": Conditional | Negated | Piped,
	} {
		for _, c := range Parse(line).Commands {
			if c.Program == "a" && c.Place != want {
				t.Errorf("%q: %b, want %b", line, c.Place, want)
			}
		}
	}
}
