# Each target is a line that a person could type. Only Go and git are needed,
# but for `check`, which fetches its two linters at the versions named here.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     = mvdan.cc/gofumpt@v0.12.0
export CGO_ENABLED = 0

.PHONY: build cross test check docs bench eval demo e2e pairs fuzz screens

build:
	go build -trimpath -ldflags='-s -w' -o bin/ ./cmd/...

# The targets of a release; a minute or more each, the first time.
cross:
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "$$os/$$arch"; GOOS=$$os GOARCH=$$arch go build -trimpath -o /dev/null ./cmd/lessons && \
		GOOS=$$os GOARCH=$$arch go build -trimpath -o /dev/null ./cmd/lessons-hook && \
		GOOS=$$os GOARCH=$$arch go vet ./cmd/... || exit 1; \
	done; done

# No limit by the clock: on a busy machine the tests take long, and say the same. And no
# results of earlier runs: Go does not see that a test builds and runs the programs.
test:
	go test -timeout 0 -count=1 ./...

check:
	go vet ./...
	go run $(STATICCHECK) ./...
	@test -z "$$(go run $(GOFUMPT) -l . | tee /dev/stderr)" || { echo 'not formatted: run gofumpt -w .'; exit 1; }
	go test ./internal/architecture/

# The reference, from the program itself; a test compares them.
docs: build
	bin/lessons help --format markdown > docs/commands.md
	bin/lessons help --format markdown topics > docs/reference.md

bench: build
	go run ./tools/bench -lessons bin/lessons $(if $(CORPUS),-corpus $(CORPUS))

# CORPUS is a folder of sessions in which a person marked what there is to learn;
# tools/eval says how. WHAT=-misses names what the numbers count.
eval:
ifeq ($(CORPUS),)
	@echo 'make eval needs labelled sessions: make eval CORPUS=DIR, where DIR holds labels.jsonl' >&2; exit 2
else
	@go run ./tools/eval $(WHAT) $(CORPUS)
endif

demo: build
	go run ./tools/demo -lessons bin/lessons

# Real agents, in a network of their own that has nothing but loopback, where the
# system lets an ordinary user make one. CLAUDE, CODEX, GEMINI, OPENCODE and
# COPILOT name the programs; what is not on PATH skips, and -v shows it.
ALONE := $(shell unshare -rn sh -c 'ip link set lo up' 2>/dev/null && echo "unshare -rn sh -c")
e2e: build
	go test -c -tags e2e -o bin/e2e.test ./internal/test/e2e/
ifeq ($(ALONE),)
	@echo '== no network namespace here: the agents run on the network of this machine'
	cd internal/test/e2e && ../../../bin/e2e.test -test.v
else
	cd internal/test/e2e && $(ALONE) 'ip link set lo up && exec ../../../bin/e2e.test -test.v'
endif

# What people see in each agent, as pictures for the documentation; it needs the agents and tmux.
screens: build
	go test -c -tags e2e -o bin/e2e.test ./internal/test/e2e/
	cd internal/test/e2e && $(or $(ALONE),sh -c) 'ip link set lo up 2>/dev/null; TMPDIR=/var/tmp exec ../../../bin/e2e.test -test.run TestScreens -screens $(CURDIR)/docs'

# The twenty mistakes of internal/test/e2e/testdata/pairs, in every agent: some minutes.
pairs: export LESSONS_PAIRS = 1
pairs: build
	go test -c -tags e2e -o bin/e2e.test ./internal/test/e2e/
	cd internal/test/e2e && $(if $(ALONE),$(ALONE) 'ip link set lo up && exec ../../../bin/e2e.test -test.v -test.run TestPairs',../../../bin/e2e.test -test.v -test.run TestPairs)

FUZZTIME = 20s
fuzz:
	@for pkg in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done
