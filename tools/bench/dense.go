package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Command-dense sessions: little but command lines, most of them compound and seen
// once.
const (
	denseCommands   = 40_000
	denseInASession = 500
)

// denseForms are the forms of the lines. Each holds %[1]d, a number that tells it from
// the others of its form, and %[2]s, the name of a folder.
var denseForms = []string{
	`cd %[2]s && go test ./pkg%[1]d/... 2>&1 | tail -%[1]d`,
	`git log --oneline -%[1]d -- %[2]s | grep -v 'fix %[1]d' | awk '{print $1}' | xargs -n1 git show --stat`,
	`for f in %[2]s/*.ts; do echo "$f: $(grep -c "case%[1]d" "$f")"; done; ls -la %[2]s || true`,
	"cat > %[2]s/config%[1]d.yaml <<'EOF'\nname: \"job %[1]d\"\nrun: |\n  make build && make test\nEOF\nkubectl apply -f %[2]s/config%[1]d.yaml --dry-run=client",
	`NODE_ENV=test PORT=%[1]d npm run test -- --grep "handles \"case\" %[1]d" --reporter dot > /tmp/out%[1]d.log 2>&1; echo "exit=$?"`,
	`(cd %[2]s && env CGO_ENABLED=0 GOOS=linux go build -o bin/app%[1]d ./cmd/app) && ./%[2]s/bin/app%[1]d --port %[1]d --verbose &`,
	`python3 - <<'PY' | sort -u | head -%[1]d` + "\nimport json\nfor row in json.load(open('%[2]s/data%[1]d.json')):\n    print(row['id'])\nPY",
	`if [ -f %[2]s/.env%[1]d ]; then source %[2]s/.env%[1]d; else echo "no env %[1]d" >&2; exit 1; fi && docker compose -f %[2]s/compose.yaml up -d svc%[1]d`,
	`sudo -u app bash -c 'cd /srv/%[2]s && bundle exec rake "db:migrate[%[1]d]" RAILS_ENV=production' | tee %[2]s/migrate.log`,
	`rg -n "TODO\(%[1]d\)" %[2]s -g '!*.lock' | cut -d: -f1 | uniq -c; git diff --stat HEAD~%[1]d -- %[2]s && git add -A && git commit -m "%[2]s: step %[1]d"`,
}

// denseOutputs are what the lines print. Every eleventh fails.
var denseOutputs = []string{
	"Exit code 1\nsrc/a.go:%[1]d:7: undefined: total%[1]d",
	"ok  \tapp/pkg%[1]d\t0.31s\nok  \tapp/pkg%[1]d/store\t0.02s\n?   \tapp/pkg%[1]d/testdata\t[no test files]",
	"src/a%[1]d.ts: 3\nsrc/b.ts: 0\ntotal 12\ndrwxr-xr-x 2 dev dev 4096 Jan  2 03:04 .\n-rw-r--r-- 1 dev dev %[1]d Jan  2 03:04 a%[1]d.ts",
	"",
	"deployment.apps/svc%[1]d configured (dry run)",
	"> app@1.4.0 test\n> vitest run\n\n ✓ src/cart%[1]d.test.ts (4 tests) 12ms\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)\n   Duration  1.02s",
	"%[1]d\n%[1]d1\n%[1]d2",
	"%[1]dab3c9 cart: keep the order of items\n 2 files changed, 14 insertions(+), 3 deletions(-)",
	"[+] Running 2/2\n ✔ Container svc%[1]d-db   Started\n ✔ Container svc%[1]d-web  Started",
	"src/app/cart%[1]d.go:41:// TODO(%[1]d): round once\nsrc/app/order.go:7:// TODO(%[1]d): sort",
	"listening on port %[1]d",
}

// The lines of the sessions, with all that Claude Code writes into them.
const (
	denseHead   = `{"parentUuid":"u%[1]d-5f0c-4f5b-9d0c-2f6a1b7c8d9e","isSidechain":false,"userType":"external","cwd":%[2]q,"sessionId":"dense%[3]d","version":"2.1.0","gitBranch":"main",`
	denseTail   = `"uuid":"u%d-5f0c-4f5b-9d0c-2f6a1b7c8d9e","timestamp":"2026-01-02T03:%02d:%02d.000Z"}` + "\n"
	denseCall   = `"message":{"model":"m-4-5-20250929","id":"msg_%[1]d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%[1]d","name":"Bash","input":{"command":%[2]s,"description":"Run step %[1]d of the plan"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":8,"cache_creation_input_tokens":312,"cache_read_input_tokens":48211,"cache_creation":{"ephemeral_5m_input_tokens":312,"ephemeral_1h_input_tokens":0},"output_tokens":121,"service_tier":"standard"}},"requestId":"req_%[1]d","type":"assistant",`
	denseResult = `"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%[1]d","type":"tool_result","content":%[2]s,"is_error":%[3]v}]},"toolUseResult":{"stdout":%[2]s,"stderr":"","interrupted":false,"isImage":false},`
)

// writeDense fills a folder with command-dense sessions and returns the files.
func writeDense(dir, cwd string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var names []string
	for first := 0; first < denseCommands; first += denseInASession {
		name := filepath.Join(dir, fmt.Sprintf("dense-%05d.jsonl", first))
		names = append(names, name)
		err := writeFile(name, func(w *bufio.Writer) error {
			for i := first; i < first+denseInASession; i++ {
				minute, second := i/60%60, i%60
				output := denseOutputs[i%len(denseOutputs)]
				if output != "" {
					output = fmt.Sprintf(output, i)
				}
				line := fmt.Sprintf(denseForms[i%len(denseForms)], i, fmt.Sprintf("svc%d/src", i%97))
				fmt.Fprintf(w, denseHead, 2*i-1, cwd, first)
				fmt.Fprintf(w, denseCall, i, jsonString(line))
				fmt.Fprintf(w, denseTail, 2*i, minute, second)
				fmt.Fprintf(w, denseHead, 2*i, cwd, first)
				fmt.Fprintf(w, denseResult, i, jsonString(output), i%len(denseOutputs) == 0)
				fmt.Fprintf(w, denseTail, 2*i+1, minute, second)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// jsonString writes a string as JavaScript does, with its angle brackets as they are.
func jsonString(s string) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // no string fails
	return strings.TrimSuffix(out.String(), "\n")
}
