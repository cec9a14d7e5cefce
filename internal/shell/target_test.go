package shell

import (
	"strings"
	"testing"
)

// described is a command with its parts told apart: wrappers > name [own flags]
// given flags | operands.
func described(c *Command) string {
	var own, given []string
	for _, f := range c.Flags {
		if f.Passed {
			given = append(given, f.String())
		} else {
			own = append(own, f.String())
		}
	}
	text := c.Name()
	if len(c.Wrappers) > 0 {
		text = strings.Join(c.Wrappers, " ") + " > " + text
	}
	if len(own) > 0 {
		text += " [" + strings.Join(own, " ") + "]"
	}
	for _, list := range [][]string{given, c.Operands} {
		if len(list) > 0 {
			text += " | " + strings.Join(list, " ")
		}
	}
	return text
}

// What an interpreter or a runner runs is part of the command, and what stands
// behind it belongs to that.
func TestTargets(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		// Interpreters.
		{"python3 scripts/deploy.py staging --x", "python3 scripts/deploy.py | --x | staging"},
		{"python3 -u -W ignore ./scripts/deploy.py -v", "python3 scripts/deploy.py [-u -W] | -v"},
		{"cd scripts && python3 deploy.py --x=1", "python3 scripts/deploy.py | --x=1"},
		{"cd /repo/scripts && python3 deploy.py", "python3 deploy.py"},
		{"python3 -m pytest -x tests", "python3 > pytest [-x] | tests"},
		{"python3 -c 'print(1)' --x", "python3 [-c] | --x | print(1)"},
		{"python3 - --x <<'E'\n1\nE", "python3 | --x | -"},
		{"python3 --version", "python3 [--version]"},
		{`python3 "$SCRIPT" --x`, "python3 | --x"},
		{"python3 a.py -- --x", "python3 a.py | --x"},
		{"node --inspect server.js --port 80", "node server.js [--inspect] | --port | 80"},
		{"node -r dotenv/config server.js", "node server.js [-r]"},
		{"node -e 'x' a", "node [-e] | x a"},
		{"bash scripts/build.sh -c x", "bash scripts/build.sh | -c | x"},
		{"bash -euo pipefail run.sh --all", "bash run.sh [-euo] | --all"},
		{"perl -pi -e 's/a/b/' f.txt", "perl [-pi -e] | s/a/b/ f.txt"},
		{"java -Xmx2g -jar app.jar --port 1", "java -jar app.jar [-Xmx2g -jar] | --port | 1"},
		{"tsx src/main.ts --watch", "tsx src/main.ts | --watch"},

		// Package scripts, goals and the like.
		{"npm test", "npm test"},
		{"npm test --watch", "npm test [--watch]"},
		{"npm test -- --watch a.ts", "npm test | --watch | a.ts"},
		{"npm run serve -- --open", "npm run serve | --open"},
		{"npm run -w web build:prod", "npm run build:prod [-w]"},
		{"npm run dist/App -- -x", "npm run dist/App | -x"},
		{"pnpm run build --watch", "pnpm run build | --watch"},
		{"pnpm --filter web run build -- --watch", "pnpm run build [--filter] | --watch"},
		{"yarn run e2e --headed", "yarn run e2e | --headed"},
		{"bun run scripts/a.ts --x", "bun run scripts/a.ts | --x"},
		{"bun ./scripts/a.ts --x", "bun scripts/a.ts | --x"},
		{"cd web && bun run build", "bun run build"},
		{"bun test --watch", "bun test [--watch]"},
		{"make -j4 dist/app.js CC=clang", "make dist/app.js [-j4] | CC=clang"},
		{"make -j 4 CC=clang all -k", "make all [-j -k] | 4 CC=clang"},
		{"make -C sub test", "make test [-C]"},
		{"just deploy staging --dry", "just deploy | --dry | staging"},
		{"go run ./cmd/app -v x", "go run ./cmd/app | -v | x"},
		{"go run -race -tags x file.go", "go run file.go [-race -tags]"},
		{"cargo run --release -- --port 1", "cargo run [--release] | --port | 1"},
		{"cargo run --bin server -- --port=1", "cargo run --bin server [--bin] | --port=1"},
		{"cargo run serve --port 1", "cargo run | --port | serve 1"},
		{"cargo test -- --nocapture", "cargo test | --nocapture"},
		{"deno run -A main.ts --x", "deno run main.ts [-A] | --x"},
		{"dotnet run --project src/App -- --x", "dotnet run --project src/App [--project] | --x"},

		// What only runs another program is read through.
		{"rtk git log --oneline", "rtk > git log [--oneline]"},
		{"npx --yes eslint . --fix", "npx > eslint [--fix] | ."},
		{"uv run --with rich python a.py --x", "uv > python a.py | --x"},
		{"uv --directory api run pytest -x", "uv > pytest [-x]"},
		{"docker compose exec web python manage.py migrate", "docker > python manage.py | migrate"},
		{"docker compose -f dev.yml exec -T -u root web pytest -x", "docker > pytest [-x]"},
		{"docker compose run --rm web npm test", "docker > npm test"},
		{"docker exec -it db psql -c x", "docker > psql [-c] | x"},
		{"mise exec node@20 -- node a.js", "mise > node a.js"},
		{"bundle exec rspec --fail-fast", "bundle > rspec [--fail-fast]"},
		{"docker compose up -d web", "docker compose up [-d] | web"},
		{"docker compose run web", "docker compose run | web"},

		// A number hangs on a letter.
		{"date -v-1d", "date [-v-1d]"},
		{"git -c a=b log -n5", "git log [-c -n5]"},
		{"git checkout -- a", "git checkout | a"},
		{"rm -- -f", "rm | -f"},
	} {
		all := Parse(c.line).All
		if got := described(all[len(all)-1]); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func TestANumberOnALetterIsItsValue(t *testing.T) {
	for line, want := range map[string]string{"date -v-1d": "-v -1d", "make -j4": "-j 4", "head -5": "-5 ", "go test -p1": "-p1 ", "tar -xzf a": "-xzf ", "cut -f1,3": "-f 1,3"} {
		if f := Parse(line).All[0].Flags[0]; f.Name+" "+f.Value != want {
			t.Errorf("%s: %q", line, f.Name+" "+f.Value)
		}
	}
}
