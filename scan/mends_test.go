package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

func describePair(f finding) string { return fmt.Sprintf("%d->%d", f.errorLine, f.line) }

func write(path, content string) func(*teller) {
	return call("Write", map[string]any{"file_path": path, "content": content}, transcript.OK, "File created")
}

// described is a shell call with the agent's words of what it is for.
func described(command, about string, outcome transcript.Outcome, output string) func(*teller) {
	return call("Bash", map[string]any{"command": command, "description": about}, outcome, output)
}

// Failures of all kinds of tools, and what mended them.
func TestErrorFixOfManyTools(t *testing.T) {
	src := func(name string) func(*teller) { return edit("/home/dev/app/"+name, "a\n", "b\n") }
	testDetector(t, errorFixes{}, describePair, []detectorCase{
		// mended by edits
		{"rust does not compile", story{bash("cargo build", fail, "Exit code 101\nerror[E0382]: borrow of moved value: `cart`"), src("src/main.rs"), bash("cargo build", ok, "Finished")}, []string{"2->6"}},
		{"a check proves what a build could not", story{bash("cargo check", fail, "Exit code 101\nerror[E0425]: cannot find value `totl`"), src("src/main.rs"), bash("cargo test", ok, "test result: ok. 3 passed; 0 failed")}, []string{"2->6"}},
		{"java", story{bash("mvn -q compile", fail, "Exit code 1\n[ERROR] Cart.java:[9,5] cannot find symbol"), src("Cart.java"), bash("mvn -q test", ok, "")}, []string{"2->6"}},
		{"gradle, and only one test the second time", story{bash("./gradlew test", fail, "Exit code 1\nCartTest > total FAILED"), src("Cart.kt"), bash("./gradlew test --tests CartTest", ok, "BUILD SUCCESSFUL")}, []string{"2->6"}},
		{"python", story{bash("pytest -q", fail, "Exit code 1\nFAILED tests/test_cart.py::test_total\n1 failed"), src("cart.py"), bash("python -m pytest tests/test_cart.py", ok, "9 passed")}, []string{"2->6"}},
		{"types of python", story{bash("mypy src", fail, "Exit code 1\nsrc/cart.py:4: error: Incompatible types  [assignment]"), src("src/cart.py"), bash("mypy src", ok, "Success: no issues found")}, []string{"2->6"}},
		{"typescript", story{bash("npx tsc --noEmit", fail, "Exit code 2\nsrc/cart.ts(4,7): error TS2322: no"), src("src/cart.ts"), bash("npm run build", ok, "done")}, []string{"2->6"}},
		{"a checker that is silent when all is well", story{bash("npx tsc --noEmit 2>&1 | head -20", masked, "src/cart.ts(4,7): error TS2322: no"), src("src/cart.ts"), bash("npx tsc --noEmit 2>&1 | head -20", masked, "")}, []string{"2->6"}},
		{"dotnet", story{bash("dotnet build", fail, "Exit code 1\nCart.cs(9,5): error CS0103: The name 'totl' does not exist"), src("Cart.cs"), bash("dotnet test", ok, "Passed! - Failed: 0")}, []string{"2->6"}},
		{"ruby", story{bash("bundle exec rspec", fail, "Exit code 1\n5 examples, 1 failure"), src("cart.rb"), bash("bundle exec rspec spec/cart_spec.rb", ok, "1 example, 0 failures")}, []string{"2->6"}},
		{"elixir", story{bash("mix compile", fail, "Exit code 1\n** (CompileError) lib/cart.ex:3: undefined function totl/0"), src("lib/cart.ex"), bash("mix test", ok, "9 tests, 0 failures")}, []string{"2->6"}},
		{"an image", story{bash("docker build -t web .", fail, "Exit code 1\nERROR: failed to solve: process \"/bin/sh -c npm ci\" did not complete"), src("Dockerfile"), bash("docker build -t web .", ok, "writing image")}, []string{"2->6"}},
		{"a manifest", story{bash("kubectl apply -f app.yaml", fail, "Exit code 1\nerror: error validating \"app.yaml\": unknown field \"replcas\""), src("app.yaml"), bash("kubectl apply -f app.yaml", ok, "deployment.apps/web created")}, []string{"2->6"}},
		{"infrastructure", story{bash("terraform validate", fail, "Exit code 1\n╷\n│ Error: Unsupported argument"), src("main.tf"), bash("terraform validate", ok, "Success! The configuration is valid.")}, []string{"2->6"}},
		{"a migration", story{bash("psql -f up.sql", fail, "Exit code 3\npsql:up.sql:4: ERROR:  relation \"cart\" already exists"), src("up.sql"), bash("psql -f up.sql", ok, "CREATE TABLE")}, []string{"2->6"}},
		{"a make file", story{bash("make", fail, "Exit code 2\ncart.c:3:1: error: unknown type name 'totl'\nmake: *** [cart.o] Error 1"), src("cart.c"), bash("make test", ok, "all tests passed")}, []string{"2->6"}},
		{"cmake", story{bash("cmake --build build", fail, "Exit code 1\ncart.cpp:3:1: error: no"), src("cart.cpp"), bash("cmake --build build && ctest --test-dir build", ok, "100% tests passed, 0 tests failed out of 4")}, []string{"2->6"}},
		{"a hook stops the commit, and an edit helps", story{bash("git commit -m x", fail, "Exit code 1\nlint-staged: eslint --fix failed\nhusky - pre-commit script failed (code 1)"), src("a.ts"), bash("git add -A && git commit -m x", ok, "[main 1f3c9a2] x")}, []string{"2->6"}},
		{"many calls lie between, all for the edit", story{
			bash("go test ./...", fail, "Exit code 1\n--- FAIL: TestTotal"), read("/home/dev/app/a.go", ok, "x"), read("/home/dev/app/b.go", ok, "x"), read("/home/dev/app/c.go", ok, "x"),
			bash("grep -rn Total .", ok, "a.go:1"), read("/home/dev/app/d.go", ok, "x"), read("/home/dev/app/e.go", ok, "x"), bash("git diff", ok, "x"), read("/home/dev/app/f.go", ok, "x"), src("a.go"), bash("go test ./...", ok, "ok  app 0.1s"),
		}, []string{"2->22"}},
		{"sed is an edit too", story{bash("go vet ./...", fail, "Exit code 1\na.go:3:2: undefined: totl"), bash("sed -i 's/totl/total/' a.go", ok, ""), bash("go vet ./...", ok, "")}, []string{"2->6"}},

		// mended by what ran before
		{"packages of python", story{bash("pytest", fail, "Exit code 4\nE   ModuleNotFoundError: No module named 'respx'"), bash("pip install respx", ok, "Successfully installed"), bash("pytest", ok, "3 passed")}, []string{"2->6"}},
		{"packages of node", story{bash("npm test", fail, "Exit code 127\nsh: 1: jest: not found"), bash("npm ci", ok, "added 300 packages"), bash("npm test", ok, "Tests: 3 passed, 3 total")}, []string{"2->6"}},
		{"dependencies of elixir", story{bash("mix test", fail, "Exit code 1\nUnchecked dependencies for environment test:"), bash("mix deps.get", ok, "ok"), bash("mix test", ok, "3 tests, 0 failures")}, []string{"2->6"}},
		{"a formatter, which a check of the format needs", story{bash("just format-check", fail, "Exit code 1\nwould reformat a.py"), bash("just format", ok, "1 file reformatted"), bash("just format-check", ok, "All done!")}, []string{"2->6"}},
		{"a daemon", story{bash("docker compose up -d", fail, "Exit code 1\nCannot connect to the Docker daemon at unix:///var/run/docker.sock"), bash("colima start", ok, "done"), bash("docker compose up -d", ok, "started")}, []string{"2->6"}},
		{"a login in one line with the call, of which less is shown", story{bash("terraform plan -json", fail, "Exit code 1\nError: No valid credential sources found"), bash("aws sso login >/dev/null && terraform plan", ok, "No changes.")}, []string{"2->4"}},
		{"a login", story{bash("terraform init", fail, "Exit code 1\nError: No valid credential sources found"), bash("aws sso login", ok, "ok"), bash("terraform init", ok, "initialized")}, []string{"2->6"}},

		// another way
		{"another folder", story{bash("npm test", fail, "Exit code 254\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory"), bash("cd web && npm test", ok, "Tests: 3 passed")}, []string{"2->4"}},
		{"quotes", story{bash("npx eslint src/**/*.ts --fix=[a]", fail, "Exit code 1\nzsh: no matches found: --fix=[a]"), bash("npx eslint 'src/**/*.ts' '--fix=[a]'", ok, "")}, []string{"2->4"}},
		{"the compiler without its script", story{bash("npm run typecheck", fail, "Exit code 1\nError: Cannot find module 'node:path'"), bash("./node_modules/.bin/tsc --noEmit", ok, "")}, []string{"2->4"}},
		{"a plugin of docker", story{bash("docker-compose up -d", fail, "Exit code 127\nbash: docker-compose: command not found"), bash("docker compose up -d", ok, "started")}, []string{"2->4"}},
		{"the wrapper of gradle", story{bash("gradle test", fail, "Exit code 127\nbash: gradle: command not found"), bash("./gradlew test", ok, "BUILD SUCCESSFUL")}, []string{"2->4"}},
		{"a module of python that is a program", story{bash("black src", fail, "Exit code 127\nzsh: command not found: black"), bash("python3 -m black src", ok, "done")}, []string{"2->4"}},
		{"it got further, to failures of another kind", story{bash("rtk bun run test", fail, "Exit code 2\nerror: unrecognized subcommand 'bun'"), bash("bun run test", fail, "Exit code 1\n(fail) cart > adds\n 3 pass\n 1 fail")}, []string{"2->4"}},
		{"the person allowed it", story{bash("git commit -m x", fail, "Exit code 1\nhusky - pre-commit script failed (code 1)"), says("The hook fails on files of others. Shall I skip it?"), user("yes, use --no-verify"), bash("git commit --no-verify -m x", ok, "[main 1f3c9a2] x")}, []string{"2->6"}},

		// other tools
		{"an edit that did not fit, by another program", story{call("Edit", map[string]any{"file_path": "/home/dev/app/a.py", "old_string": "x", "new_string": "y"}, fail, "<tool_use_error>String to replace not found in file.</tool_use_error>"), bash("sed -i 's/x/y/' a.py", ok, "")}, []string{"2->4"}},
		{"an edit of a whole file", story{call("Edit", map[string]any{"file_path": "/home/dev/app/a.py", "old_string": "x", "new_string": "y"}, fail, "String to replace not found in file."), write("/home/dev/app/a.py", "y")}, []string{"2->4"}},
		{"a file that a command does not find", story{bash("cat src/components/Cart.js", fail, "Exit code 1\ncat: src/components/Cart.js: No such file or directory"), read("/home/dev/app/src/components/Cart.jsx", ok, "x")}, []string{"2->4"}},
		{"a page that is not there", story{call("WebFetch", map[string]any{"url": "https://example.org/a"}, fail, "Request failed with status code 404"), call("WebFetch", map[string]any{"url": "https://example.org/docs/a"}, ok, "text")}, []string{"2->4"}},
		{"arguments of a service", story{call("mcp__tracker__create", map[string]any{"id": "1"}, fail, "MCP error -32602: missing field title"), call("mcp__tracker__create", map[string]any{"id": "1", "title": "x"}, ok, "created")}, []string{"2->4"}},
		{"an error that the service does not flag", story{call("mcp__tracker__create", map[string]any{"id": "1"}, ok, "Error: title is required"), call("mcp__tracker__create", map[string]any{"id": "1", "title": "x"}, ok, "created")}, []string{"2->4"}},
		{"an agent that is none, with long instructions", story{call("Task", map[string]any{"subagent_type": "reviewr", "prompt": strings.Repeat("look ", 900)}, fail, "Agent type 'reviewr' not found"), call("Task", map[string]any{"subagent_type": "reviewer", "prompt": strings.Repeat("look ", 900)}, ok, "fine")}, []string{"2->4"}},
		{"a file that is too large to be read", story{read("/home/dev/app/big.log", fail, "File content (99999 tokens) exceeds maximum allowed tokens"), bash("tail -50 big.log", ok, "x")}, []string{"2->4"}},
		{"a pattern that is none", story{call("Grep", map[string]any{"pattern": "f(", "path": "/home/dev/app"}, fail, "regex parse error: unclosed group"), call("Grep", map[string]any{"pattern": "f\\\\(", "path": "/home/dev/app"}, ok, "a.go:1")}, []string{"2->4"}},
		{"a skill that is none", story{call("Skill", map[string]any{"skill": "deploy"}, transcript.NotRun, "<tool_use_error>Unknown skill: deploy</tool_use_error>"), bash("make deploy", ok, "done")}, []string{"2->4"}},
	})
}

// What looks like a fix and is none.
func TestErrorFixIsNone(t *testing.T) {
	src := edit("/home/dev/app/cart.py", "a\n", "b\n")
	red := "Exit code 1\nFAILED tests/test_cart.py::test_total\n1 failed"
	none := func(name string, s story) detectorCase { return detectorCase{name, s, nil} }
	testDetector(t, errorFixes{}, describePair, []detectorCase{
		none("a test that was announced to fail", story{says("Now run the test to confirm that it fails."), bash("pytest", fail, red), src, bash("pytest", ok, "3 passed")}),
		none("a run that is described as red", story{described("pytest", "Verify the new tests fail (TDD red phase)", fail, red), src, bash("pytest", ok, "3 passed")}),
		none("a failure that the agent is content with", story{bash("pytest", fail, red), says("The tests fail as expected, since nothing is implemented yet."), src, bash("pytest", ok, "3 passed")}),
		none("tests of other things pass", story{bash("npm run lint", fail, "Exit code 1\n✖ 3 problems (3 errors, 0 warnings)"), src, bash("npm test", ok, "Tests: 3 passed")}),
		none("a look around after a failure", story{bash("cargo build", fail, "Exit code 101\nerror: no"), bash("cargo tree", ok, "shop"), bash("ls src", ok, "main.rs")}),
		none("the same again, and it passes", story{bash("npm test", fail, "Exit code 1\nTests: 1 failed"), bash("npm test", ok, "Tests: 3 passed")}),
		none("a call that was made beside the one that failed", story{beside(
			[]string{"/home/dev/app/store/db.go", "/home/dev/app/store/cache.go"}, []transcript.Outcome{fail, ok}, []string{"File does not exist.", "package store"})}),
		none("notes that are looked for", story{read("/home/dev/app/HANDOVER.md", fail, "File does not exist."), read("/home/dev/app/CHANGES.md", ok, "x")}),
		none("the program under development refuses", story{bash("go build -o /tmp/shop ./cmd/shop", ok, ""), bash("/tmp/shop nosuch", fail, "Exit code 1\nError: unknown command \"nosuch\" for \"shop\""), bash("/tmp/shop help", ok, "usage")}),
		none("an edit that the person refused is no edit", story{bash("npm run build", fail, "Exit code 1\nerror TS2322: no"), call("Edit", map[string]any{"file_path": "/home/dev/app/a.ts", "old_string": "a", "new_string": "b"}, transcript.Rejected, ""), bash("npm run build", ok, "done")}),
		none("a service that is called for something else much later", story{call("WebFetch", map[string]any{"url": "https://example.org/a"}, fail, "404"), bash("ls", ok, "a"), bash("ls b", ok, "a"), bash("ls c", ok, "a"), call("WebFetch", map[string]any{"url": "https://example.org/z"}, ok, "text")}),
		none("a search much later", story{call("Grep", map[string]any{"pattern": "f(", "path": "/home/dev/app"}, fail, "regex parse error"), bash("ls", ok, "a"), bash("ls b", ok, "a"), bash("ls c", ok, "a"), call("Grep", map[string]any{"pattern": "total", "path": "/home/dev/app"}, ok, "a.go:1")}),
		none("another package", story{bash("pip install torch", fail, "Exit code 1\nERROR: No matching distribution found for torch"), bash("npm install react", ok, "added")}),
		none("code of the occasion in place of a script", story{bash("ruby report.rb", fail, "Exit code 1\nsorry, no rows"), bash("ruby -e 'puts 1'", ok, "1")}),
		none("noise of tests that pass", story{bash("go test ./... 2>&1 | tail -30", masked, "Error: boom (wanted)\nok  \tapp/store\t0.1s\nok  \tapp/api\t0.2s"), src, bash("go test ./... 2>&1 | tail -30", masked, "ok  \tapp/store\t0.1s")}),
	})
}

// beside is a batch of reads: all calls come before all results.
func beside(paths []string, outcomes []transcript.Outcome, outputs []string) func(*teller) {
	return func(t *teller) {
		n := len(t.events)
		for i, p := range paths {
			t.add(transcript.Event{Kind: transcript.ToolCall, Tool: "Read", ToolUse: fmt.Sprintf("toolu_%d_%d", n, i), Input: fmt.Appendf(nil, `{"file_path":%q}`, p)})
		}
		for i := range paths {
			t.add(transcript.Event{Kind: transcript.ToolResult, Tool: "Read", ToolUse: fmt.Sprintf("toolu_%d_%d", n, i), Outcome: outcomes[i], Text: outputs[i], Exit: -1})
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"src/cart.ts", "lib/cart.ts", true},
		{"src/Cart.js", "src/Cart.jsx", true},
		{".golangci.yml", ".golangci.yaml", true},
		{"store/client.go", "store/store.go", true},
		{"src/user_service.py", "src/users/UserService.py", true},
		{"src/cart.ts", "src/price/total.rs", false},
		{"HANDOVER.md", "CHANGES.md", false},
		{"package.json", "tsconfig.json", false},
		{"a.go", "b/c.go", false},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("alike(%s, %s) is %v", c.a, c.b, got)
		}
	}
}

func TestAnnouncesFailure(t *testing.T) {
	for text, want := range map[string]bool{
		"Run the new tests to verify they fail":                     true,
		"Let me confirm that the test fails without the fix.":       true,
		"First I'll watch it fail.":                                 true,
		"This should fail because the function does not exist yet:": true,
		"Expecting the spec to fail at this point":                  true,
		"TDD red phase":                                               true,
		"The build is expected to fail here":                          true,
		"Check that the invalid config is rejected":                   true,
		"Test unknown command":                                        true,
		"Ensure the endpoint returns an error for bad input":          true,
		"Run the tests":                                               false,
		"Check for lint errors":                                       false,
		"Verify that nothing fails":                                   false,
		"Let me see if the tests fail":                                false,
		"Check whether it still fails":                                false,
		"Make sure the build doesn't break":                           false,
		"Run tests to verify the fix":                                 false,
		"See why the test fails":                                      false,
		"The deploy failed, let me look at the logs to see the error": false,
		"Verify no tests fail":                                        false,
	} {
		if got := announcesFailure(text); got != want {
			t.Errorf("%q announces a failure: %v", text, got)
		}
	}
}
