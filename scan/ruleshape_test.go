package scan

import "testing"

// The forms in which linters and compilers name the rule that was broken.
func TestRuleOfLine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"12:9  error  'total' is assigned a value but never used  @typescript-eslint/no-unused-vars", "@typescript-eslint/no-unused-vars"},
		{"3:3  ✖  Unexpected unknown property \"colr\"  property-no-unknown", "property-no-unknown"},
		{"cart/total.py:1:8: F401 [*] `os` imported but unused", "F401"},
		{"F401 [*] `os` imported but unused", "F401"},
		{"cart/total.py:1:0: W0611: Unused import os (unused-import)", "W0611"},
		{"/app/cart/total.py:12:9 - error: Argument of type \"str\" cannot be assigned (reportArgumentType)", "reportArgumentType"},
		{"cart.rb:3:7: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings.", "Style/StringLiterals"},
		{"= note: `-D clippy::if-same-then-else` implied by `-D warnings`", "clippy::if_same_then_else"},
		{"README.md:12:1 MD040/fenced-code-language Fenced code blocks should have a language specified", "MD040"},
		{"🪪  argument.type", "argument.type"},
		{"12 | ERROR | [x] Line indented incorrectly (Generic.WhiteSpace.ScopeIndent.Incorrect)", "Generic.WhiteSpace.ScopeIndent.Incorrect"},
		{"/app/Cart.kt:3:1 Unused import (standard:no-unused-imports)", "standard:no-unused-imports"},
		{"/app/Cart.kt:12:5: The function total is too long (72). The maximum length is 60. [LongMethod]", "LongMethod"},
		{"[ERROR] src/main/java/Cart.java:[12,5] (javadoc) MissingJavadocMethod: Missing a Javadoc comment.", "MissingJavadocMethod"},
		{"/app/Cart.swift:12:1: error: Line Length Violation: Line should be 120 characters or less (line_length)", "line_length"},
		{"cart.c:12:9: error: unused variable 'n' [-Werror=unused-variable]", "unused-variable"},
		{"../cart.cc:12:9: error: unused variable 'n' [-Werror,-Wunused-variable]", "unused-variable"},
		{"/app/cart.cc:12:9: error: variable 'n' is not initialized [cppcoreguidelines-init-variables,-warnings-as-errors]", "cppcoreguidelines-init-variables"},
		{"cart/total.go:12:2: should use for range instead of for { select {} } (S1000)", "S1000"},
		{"yaml[truthy]: Truthy value should be one of [false, true]", "yaml[truthy]"},
		{"Warning: [Fixable] variable \"x\" is declared but not used (terraform_unused_declarations)", "terraform_unused_declarations"},
		{"❯❯❱ python.lang.security.audit.eval-detected.eval-detected", "python.lang.security.audit.eval-detected.eval-detected"},
		{"info • Unused import: 'dart:io' • lib/cart.dart:1:8 • unused_import", "unused_import"},
		{"⚠ eslint(no-unused-vars): Variable 'n' is declared but never used.", "eslint(no-unused-vars)"},
		{"cart/total.go:12:2: exported: func Total should have comment (revive)", "revive/exported"},
		{"cart/total.go:12:2: ifElseChain: rewrite if-else to switch statement (gocritic)", "gocritic/ifElseChain"},
		{"cart/total.go:12:2: error: the total is not checked (errcheck)", "errcheck"},
		{"cart/total.go:12:2: undefined: total (typecheck)", ""},

		{"L:   4 | P:   5 | RF02 | Unqualified reference 'paid_at' found in select with more", "RF02"},
		{"lib/shop/queue.ex:31:unmatched_return", "unmatched_return"},

		{"cart_test.go:14: total = 3, want 4 (off by 1)", ""},
		{"FAIL src/cart.test.ts (12.3 s)", ""},
		{"    at Object.<anonymous> (/app/src/cart.test.ts:12:9)", ""},
		{"Error: connect ECONNREFUSED 127.0.0.1:5432 (localhost)", ""},
		{"HTTP 404: Not Found (https://api.example.com/repos)", ""},
		{"  File \"/app/cart/total.py\", line 12, in pay", ""},
		{"2026-11-20 10:12:03 ERROR worker.jobs: the queue is full (retrying)", ""},
	} {
		if got := ruleOfLine(c.line); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}
