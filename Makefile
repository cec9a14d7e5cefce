# Each target is a line that a person could type. Only Go and git are needed,
# but for `check`, which fetches its two linters at the versions named here.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     = mvdan.cc/gofumpt@v0.12.0
export CGO_ENABLED = 0

.PHONY: build test check bench demo e2e fuzz

build:
	go build -trimpath -ldflags='-s -w' -o bin/ ./cmd/...

test:
	go test ./...

check:
	go vet ./...
	go run $(STATICCHECK) ./...
	@test -z "$$(go run $(GOFUMPT) -l . | tee /dev/stderr)" || { echo 'not formatted: run gofumpt -w .'; exit 1; }
	go test ./internal/architecture/

bench: build
	go run ./internal/bench -lessons bin/lessons

demo: build
	go run ./internal/demo -lessons bin/lessons

e2e: build
	go test -count=1 -tags e2e -v ./internal/e2e/

FUZZTIME = 20s
fuzz:
	@for pkg in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done
