package scan

import (
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// Outputs of commands whose status is hidden, by many tools: which of them tell
// of a failure.
func TestSoundsFailed(t *testing.T) {
	for _, c := range []struct {
		name, command, output string
		want                  bool
	}{
		{"rustc", "cargo build 2>&1 | tail -20", "   Compiling shop v0.1.0\nerror[E0382]: borrow of moved value: `cart`\n --> src/main.rs:7:5\n\nerror: could not compile `shop` (bin \"shop\") due to 1 previous error", true},
		{"cargo test", "cargo test 2>&1 | tail", "running 3 tests\ntest cart::adds ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored", true},
		{"cargo passes", "cargo test 2>&1 | tail", "running 3 tests\ntest fails_on_error ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored", false},
		{"clippy", "cargo clippy 2>&1 | tail", "error: this loop could be written as a `while let` loop\n  --> src/a.rs:3:5", true},
		{"maven", "mvn -q test | tail -30", "[INFO] Tests run: 4, Failures: 1\n[ERROR] CartTest.total:14 expected: <2> but was: <3>\n[INFO] BUILD FAILURE", true},
		{"maven passes", "mvn test | tail", "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", false},
		{"gradle", "./gradlew test | tail", "> Task :test FAILED\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.", true},
		{"gradle passes", "./gradlew test | tail", "> Task :test\n\nBUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed", false},
		{"javac", "javac *.java 2>&1 | head", "Cart.java:9: error: cannot find symbol\n    Totl t;\n    ^\n1 error", true},
		{"kotlin", "gradle build 2>&1 | tail", "e: file:///src/Cart.kt:3:5 Unresolved reference: totl\n\nFAILURE: Build failed with an exception.", true},
		{"pytest", "pytest -q | tail -3", "FAILED tests/test_cart.py::test_total - assert 2 == 3\n1 failed, 9 passed in 0.2s", true},
		{"pytest passes", "pytest | tail -3", "tests/test_errors.py::test_error_is_raised PASSED\n10 passed in 0.3s", false},
		{"python", "python app.py | tail", "Traceback (most recent call last):\n  File \"app.py\", line 1\nNameError: name 'x' is not defined", true},
		{"mypy", "mypy src | tail", "src/cart.py:4: error: Incompatible types in assignment  [assignment]\nFound 1 error in 1 file (checked 9 source files)", true},
		{"mypy passes", "mypy src | tail", "Success: no issues found in 9 source files", false},
		{"ruff", "ruff check . | tail", "src/cart.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.", true},
		{"jest", "npx jest 2>&1 | tail", "FAIL src/cart.test.ts\n  ● adds one\n\nTests:       1 failed, 4 passed, 5 total", true},
		{"jest passes", "npx jest 2>&1 | tail", "  console.error\n    Error: expected in this test\n\nTests:       5 passed, 5 total", false},
		{"vitest", "pnpm vitest run | tail", " FAIL  src/cart.test.ts > adds one\nAssertionError: expected 2 to be 3\n Tests  1 failed | 4 passed (5)", true},
		{"tsc", "npx tsc --noEmit | head", "src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.", true},
		{"eslint", "npx eslint src | tail", "/srv/app/src/a.ts\n  3:1  error  Unexpected var  no-var\n\n✖ 1 problem (1 error, 0 warnings)", true},
		{"npm", "npm run build | tail", "npm error Missing script: \"build\"\nnpm error\nnpm error To see a list of scripts, run:", true},
		{"vite passes", "npm run build | tail -3", "dist/assets/error-page.js  3 kB\n✓ built in 1.2s", false},
		{"dotnet", "dotnet build | tail", "Cart.cs(9,5): error CS0103: The name 'totl' does not exist in the current context\nBuild FAILED.\n    1 Error(s)", true},
		{"dotnet passes", "dotnet build | tail", "Build succeeded.\n    0 Warning(s)\n    0 Error(s)", false},
		{"rspec", "bundle exec rspec | tail", "5 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/cart_spec.rb:4", true},
		{"rspec passes", "bundle exec rspec | tail -2", "Finished in 0.1 seconds\n5 examples, 0 failures", false},
		{"rake", "rake db:migrate | tail", "rake aborted!\nActiveRecord::NoDatabaseError: We could not find your database", true},
		{"mix", "mix test | tail", "== Compilation error in file lib/cart.ex ==\n** (CompileError) lib/cart.ex:3: undefined function totl/0", true},
		{"mix passes", "mix test | tail -2", "Finished in 0.05 seconds\n9 tests, 0 failures", false},
		{"docker build", "docker build . | tail", "ERROR: failed to solve: process \"/bin/sh -c npm ci\" did not complete successfully: exit code: 1", true},
		{"docker run", "docker run x | tail", "docker: Error response from daemon: pull access denied for x.", true},
		{"docker logs tell of the past", "docker logs web | tail", "error: connection reset\nlistening on 80", false},
		{"kubectl", "kubectl apply -f a.yaml | tail", "error: error validating \"a.yaml\": unknown field \"replcas\"", true},
		{"kubectl get", "kubectl get po web | head", "Error from server (NotFound): pods \"web\" not found", true},
		{"kubectl logs tell of the past", "kubectl logs web | tail", "ERROR: pool exhausted\nINFO: ok", false},
		{"terraform", "terraform plan | tail", "╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3", true},
		{"psql", "psql -c 'select * from cart' | head", "ERROR:  relation \"cart\" does not exist\nLINE 1: select * from cart", true},
		{"make", "make all 2>&1 | tail -4", "cc -c cart.c\ncart.c:3:1: error: unknown type name 'totl'\nmake: *** [Makefile:4: cart.o] Error 1", true},
		{"make passes", "make all 2>&1 | tail", "cc -c error.c\nar r liberror.a error.o", false},
		{"cmake", "cmake -B build | tail", "CMake Error at CMakeLists.txt:4 (find_package):\n  Could not find a package configuration file provided by \"fmt\"", true},
		{"go", "go vet ./... | tail", "# example.com/shop\ncart/cart.go:9:2: declared and not used: total", true},
		{"go passes", "go test ./... | tail", "ok  \texample.com/shop/errors\t0.1s\n?   \texample.com/shop\t[no test files]", false},
		{"swift", "swift build 2>&1 | tail", "/srv/app/Sources/Cart.swift:3:9: error: cannot find 'totl' in scope", true},
		{"php", "vendor/bin/phpunit | tail", "FAILURES!\nTests: 5, Assertions: 9, Failures: 1.", true},
		{"not installed", "tree -L 2 | head", "bash: tree: command not found", true},
		{"an alias of zsh", "pytest -q | tail", "zsh: command not found: pytest", true},
		{"a glob of zsh", "ls src/*.foo | head", "(eval):1: no matches found: src/*.foo", true},
		{"usage", "rg --includ '*.go' x | head", "error: unexpected argument '--includ' found\n\nUsage: rg [OPTIONS] PATTERN", true},
		{"git", "git log --onelin | head", "fatal: unrecognized argument: --onelin", true},
		{"a file that is not there", "cat notes.txt | head", "cat: notes.txt: No such file or directory", true},

		{"a log that is shown", "cat build.log | tail", "error: it broke\nFAIL cart", false},
		{"code that is shown", "grep -rn 'error:' src | head", "src/a.ts:3: throw new Error('error: x')", false},
		{"a commit that is shown", "git log --oneline | head", "1f3c9a2 Fix error: do not fail", false},
		{"a file called error", "git status --short | head", " M src/error.ts", false},
		{"words of the program under work", "python report.py | tail", "3 users could not be found\nfailed: 0", false},
		{"an install", "npm install | tail -3", "added 12 packages in 2s\n\n3 packages are looking for funding", false},
		{"warnings", "npm run lint | tail", "✖ 3 problems (0 errors, 3 warnings)", false},
		{"help", "gh pr --help | head", "Work with GitHub pull requests.\n\nUSAGE\n  gh pr <command> [flags]", false},
		{"nothing", "make | tail", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := new(Window)
			for _, e := range (story{bash(c.command, masked, c.output)}).events() {
				w.Push(&e)
			}
			if got := soundsFailed(w.steps[0], c.output); got != c.want {
				t.Errorf("%s\n%s\nsounds failed: %v", c.command, c.output, got)
			}
		})
	}
}

// What was wrong, and of what kind it was.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name, command, output string
		class                 class
		salient, rule         string
	}{
		{"a rule of rustc", "cargo build", "Exit code 101\n   Compiling shop v0.1.0\nerror[E0382]: borrow of moved value: `cart`\n --> src/main.rs:7:5", inProgress, "error[E0382]: borrow of moved value: `cart`", "E0382"},
		{"a conflict of a merge", "git merge topic", "Auto-merging a.go\nCONFLICT (content): Merge conflict in a.go\nAutomatic merge failed; fix conflicts and then commit the result.", inProgress, "CONFLICT (content): Merge conflict in a.go", ""},
		{"what a linter passes on of the compiler", "golangci-lint run", "a.go:4:7: undefined: x (typecheck)\na.go:9:2: unused: y (unused)", inProgress, "a.go:4:7: undefined: x (typecheck)", ""},
		{"a rule of tsc", "npm run typecheck", "Exit code 2\n> tsc --noEmit\n\nsrc/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.", inProgress, "src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.", "TS2322"},
		{"a rule of golangci-lint", "golangci-lint run", "Exit code 1\na/b.go:9:12: Error return value of `f.Close` is not checked (errcheck)\n1 issues:", inProgress, "a/b.go:9:12: Error return value of `f.Close` is not checked (errcheck)", "errcheck"},
		{"a rule of eslint", "npx eslint src", "Exit code 1\n/srv/app/src/a.ts\n  3:1  error  Unexpected any. Specify a different type  @typescript-eslint/no-explicit-any", inProgress, "3:1  error  Unexpected any. Specify a different type  @typescript-eslint/no-explicit-any", "@typescript-eslint/no-explicit-any"},
		{"a rule of ruff", "ruff check .", "Exit code 1\nsrc/cart.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.", inProgress, "src/cart.py:1:8: F401 [*] `os` imported but unused", "F401"},
		{"a rule of shellcheck", "shellcheck run.sh", "Exit code 1\nIn run.sh line 3:\necho $x\n     ^-- SC2086 (info): Double quote to prevent globbing and word splitting.", inProgress, "", "SC2086"},
		{"a test of bun behind the noise of others", "bun test", "Exit code 1\n[App] Error: boom (expected)\n(pass) loads\n(fail) cart > adds one [0.29ms]\n\n 9 pass\n 1 fail", inProgress, "(fail) cart > adds one [0.29ms]", ""},
		{"a test of pytest", "pytest", "Exit code 1\n=== FAILURES ===\n    def test_total():\n>       assert 2 == 3\nE       assert 2 == 3\n\nFAILED tests/test_cart.py::test_total - assert 2 == 3\n1 failed", inProgress, "FAILED tests/test_cart.py::test_total - assert 2 == 3", ""},
		{"a module of python", "pytest", "Exit code 4\nImportError while loading conftest '/srv/app/conftest.py'.\nconftest.py:2: in <module>\n    import respx\nE   ModuleNotFoundError: No module named 'respx'", missingDep, "ModuleNotFoundError: No module named 'respx'", ""},
		{"a package of node", "node server.js", "Exit code 1\nnode:internal/modules/cjs/loader:1080\n  throw err;\nError: Cannot find module 'express'\nRequire stack:", missingDep, "Error: Cannot find module 'express'", ""},
		{"a gem", "rails s", "Exit code 1\nCould not find gem 'puma' in locally installed gems.", missingDep, "Could not find gem 'puma' in locally installed gems.", ""},
		{"a script", "npm run tests", "Exit code 1\nnpm error Missing script: \"tests\"", usage, "npm error Missing script: \"tests\"", ""},
		{"a task", "./gradlew tests", "Exit code 1\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nTask 'tests' not found in root project 'shop'.", usage, "Task 'tests' not found in root project 'shop'.", ""},
		{"a target", "make tests", "Exit code 2\nmake: *** No rule to make target 'tests'.  Stop.", usage, "make: *** No rule to make target 'tests'.  Stop.", ""},
		{"a daemon", "docker ps", "Exit code 1\nCannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", environment, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", ""},
		{"a database", "npm run migrate", "Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432", environment, "Error: connect ECONNREFUSED 127.0.0.1:5432", ""},
		{"a login", "gh pr create --fill", "Exit code 4\nTo get started with GitHub CLI, please run:  gh auth login", environment, "", ""},
		{"an engine", "pnpm test", "Exit code 1\n ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)\n\nExpected version: >=20", environment, "ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)", ""},
		{"a hook", "git commit -m x", "Exit code 1\nlint-staged failed\n✖ eslint --fix:\nhusky - pre-commit script failed (code 1)", inProgress, "", ""},
		{"a folder", "cat src/cart.tsx", "Exit code 1\ncat: src/cart.tsx: No such file or directory", missingPath, "cat: src/cart.tsx: No such file or directory", ""},
		{"a program", "tree -L 2", "Exit code 127\n/bin/bash: line 1: tree: command not found", notRunnable, "/bin/bash: line 1: tree: command not found", ""},
		{"the shell", "ls src/*.foo", "Exit code 1\n(eval):1: no matches found: src/*.foo", shellSyntax, "(eval):1: no matches found: src/*.foo", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := new(Window)
			for _, e := range (story{bash(c.command, transcript.Fail, c.output)}).events() {
				w.Push(&e)
			}
			f := w.judge(w.Last())
			if f == nil {
				t.Fatal("no failure")
			}
			if f.class != c.class || c.salient != "" && f.salient != c.salient || f.rule != c.rule {
				t.Errorf("class %s, salient %q, rule %q\nwant  %s, %q, %q", f.class, f.salient, f.rule, c.class, c.salient, c.rule)
			}
		})
	}
}

// A line that prints its own status says more than any words.
func TestEchoedStatus(t *testing.T) {
	for _, c := range []struct {
		command, output string
		want            bool
	}{
		{`make; echo "exit: $?"`, "cc -c a.c\nexit: 2", true},
		{`make; echo "exit: $?"`, "error: not so bad\nexit: 0", false},
		{"cargo test 2>&1 | tail -3; echo EXIT=${PIPESTATUS[0]}", "running 3 tests\nEXIT=101", true},
		{`git config --get user.x; echo "exit code: $?"`, "exit code: 1", false},
		{`grep -q x a; echo $?`, "1", false},
		{`diff a b; echo "rc=$?"`, "1c1\nrc=1", false},
		{`npm test; echo "status $?"`, "status 1", true},
	} {
		w := new(Window)
		for _, e := range (story{bash(c.command, masked, c.output)}).events() {
			w.Push(&e)
		}
		if got := w.judge(w.Last()) != nil; got != c.want {
			t.Errorf("%s\n%s\nfailed: %v", c.command, c.output, got)
		}
	}
}
