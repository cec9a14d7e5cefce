package migrate

import "testing"

// The title of an instruction ends where a reader would end it, and never within code.
func TestRuleTitle(t *testing.T) {
	for rule, want := range map[string]string{
		"Use pnpm, not npm": "Use pnpm, not npm",
		"Use the `slog` logger from the context. No `log.Printf`":                                                 "Use the `slog` logger from the context",
		"Callers (e.g. `acme/store`) use the same version. Ask first":                                             "Callers (e.g. `acme/store`) use the same version",
		"Wrap errors with `fmt.Errorf(\"doing x: %w\", err)`; the message says what was tried, not \"failed to\"": "Wrap errors with `fmt.Errorf(\"doing x: %w\", err)`",
		"Name tests after behaviour: `it(\"rejects an expired voucher\")`, not `it(\"works\")`, in each package":  "Name tests after behaviour: `it(\"rejects an expired voucher\")`, not …",
		"Have you found something odd? Write it down":                                                             "Have you found something odd? Write it down",
	} {
		if got := ruleTitle(rule); got != want {
			t.Errorf("%q:\n got  %q\n want %q", rule, got, want)
		}
	}
}
