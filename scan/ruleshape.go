package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// ruleShape finds the rule that a line of a linter or compiler says was broken, in its
// first group that matched. A bare word in brackets at the end counts behind a place with a
// colon alone; a name of several parts, as tools give to rules, behind any place.
var ruleShape = automata.New(strings.Join([]string{
	`\b((?:TS|CS|FS|MSB|NU|SC|DL|MD|CA|IDE|RUF|UP|PLR|PLW|PLE)\d{3,5})\b`,
	`\berror\[(E\d{4})\]`,
	`:\d+(?::\d+)?: \[?([A-Z]{1,3}\d{3,4})\b`,
	`^([A-Z]{1,3}\d{3,4}) (?:\[\*\] )?[A-Z` + "`" + `]\S* .*[a-z]`, // ruff
	`\b(lint/\w+/\w+)`,                                             // Biome
	`^\d+:\d+ .*\s(@?[a-z][\w-]*(?:/[\w-]+)*)$`,                    // ESLint
	`\b(clippy::[\w-]+)|rust-clippy/\S*#(\w+)$`,
	`:\d+: .*[^ ] \(([a-z][a-z-]{2,30})\)$`,
	rulePlace + `.*[^ ] \((` + ruleParts + `)\)$`,
	`:\d+: [CWEF]: (?:\[Correctable\] )?([A-Z]\w+/[A-Z]\w+):`, // RuboCop
	`\[-W(?:error[=,](?:-W)?)?([\w-]+)\]`,                     // C
	`:\d+: .*\[([a-z][a-z-]{3,60})(?:,-warnings-as-errors)?\]$`,
	`:\d+:\d+: .*\[([A-Z][a-z]+(?:[A-Z][a-z]+)+)\]$`,                        // detekt
	`\.\w+:\[\d+(?:,\d+)?\] \(\w+\) (\w+):`,                                 // Checkstyle
	`^\d+ \| (?:ERROR|WARNING) \| .*\((` + ruleParts + `)\)$`,               // PHP_CodeSniffer
	`^(?:Error|Warning|Notice): .* \(([a-z]+_[a-z_]+)\)$`,                   // TFLint
	`^([a-z][\w-]*\[[\w-]+\]): [A-Z]`,                                       // ansible-lint
	`^\W*(?:info|warning|error) • .* • \S+:\d+:\d+ • (\w+)$`,                // Dart
	`\b((?:eslint|typescript-eslint|unicorn|oxc|react|import)\([\w-]+\)): `, // Oxlint
	`^🪪\s+(\w+(?:\.\w+)+)`,                                                  // PHPStan
	`^L: +\d+ \| P: +\d+ \| ([A-Z]{2}\d{2}) \|`,                             // SQLFluff
	`\.exs?:\d+(?::\d+)?:([a-z]+(?:_[a-z]+)+)$`,                             // Dialyxir
	`^❯+❱? (\w+(?:[.-]\w+){3,})$`,                                           // Semgrep
}, "|"))

// Where the rule was broken, and names of several parts.
const (
	rulePlace = `:\d+(?::\d+)?(?::? | - )` // of a file, at the end: 12:9: or 12:9 -
	ruleParts = `[A-Za-z]\w*(?:[_:./-]\w+)+|report[A-Z]\w+|[A-Z]{1,3}\d{3,4}`
)

// ruleIn returns the name of the rule that a linter or compiler says was broken:
// in the line that says what is wrong, else in the first line that names one.
func ruleIn(salient, text string) string {
	if rule := ruleOfLine(salient); rule != "" {
		return rule
	}
	if verdictLine.MatchString(salient) && !strings.HasPrefix(salient, "error: ") {
		return "" // that line is about something else
	}
	for line := range linesOf(text) {
		if len(line) > 400 {
			continue
		}
		if rule := ruleOfLine(line); rule != "" {
			return rule
		}
	}
	return ""
}

// notRules are names under which linters pass on what the compiler says.
var notRules = map[string]bool{"typecheck": true}
