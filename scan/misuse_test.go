package scan

import (
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/shell"
)

// A word of the call that the message turns down, in the words of many programs; what
// compilers and tests say of the sources turns down no word of the call.
func TestMisused(t *testing.T) {
	for _, c := range []struct{ command, message, want string }{
		{"composer install --no-devs", `The "--no-devs" option does not exist.`, "--no-devs"},
		{"npx wrangler deploy --environment staging", "✘ [ERROR] Unknown arguments: environment", "--environment"},
		{"flutter build apk --obfuscat", `Could not find an option named "--obfuscat".`, "--obfuscat"},
		{"php artisan migrate:frsh", `Command "migrate:frsh" is not defined.`, "migrate:frsh"},
		{"poetry instal", `The command "instal" does not exist.`, "instal"},
		{"sbt testonly CartSpec", "[error] Not a valid command: testonly (similar: testOnly)", "testonly"},
		{"docker compose up -d databse", "no such service: databse", "databse"},
		{"kubectl get podz", `error: the server doesn't have a resource type "podz"`, "podz"},
		{"just tests", "error: Justfile does not contain recipe `tests`.", "tests"},
		{"task tests", `task: Task "tests" does not exist`, "tests"},
		{"mise run tests", "mise ERROR no task tests found", "tests"},
		{"npx nx run web:tests", "NX   Cannot find configuration for task web:tests", "web:tests"},
		{"zig build tests", "error: no step named 'tests'", "tests"},

		{"npm test", "error TS2304: Cannot find name 'test'.", ""},
		{"cargo build", "error[E0599]: no method named `build` found for struct `Shop` in the current scope", ""},
		{"npm run build", "error TS2339: Property 'target' does not exist on type 'Event'.", ""},
		{"npm run build", "Module not found: Error: Can't resolve './build' in '/app/src'", ""},
		{"go build ./cart", `cart/total.go:3:8: undefined: target`, ""},
		{"pytest tests/test_command.py", "FAILED tests/test_command.py::test_unknown - AssertionError: no such command", ""},
		{"make test", "make: *** [Makefile:3: test] Error 1", ""},
	} {
		_, quoted := namedIn(c.message)
		got := strings.Join(slices.Compact(misused(shell.Parse(c.command), c.message, quoted)), " ")
		if got != c.want {
			t.Errorf("%s, which says %q: %q, want %q", c.command, c.message, got, c.want)
		}
	}
}
