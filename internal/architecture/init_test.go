package architecture

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// What package initialisation may cost: every hook and every completion pays
// it. The best of several starts counts, because the runtime's clock includes
// other programs of the machine.
const (
	initTotal = 3.0 // ms
	initOne   = 0.5 // ms
	starts    = 15
)

var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)

func TestPackageInitialisationIsCheap(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "lessons")
	build := exec.Command("go", "build", "-o", bin, module+"cmd/lessons")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	best := map[string]float64{}
	total := -1.0
	for range starts {
		sum := 0.0
		for name, ms := range initTimes(t, bin) {
			sum += ms
			if old, ok := best[name]; !ok || ms < old {
				best[name] = ms
			}
		}
		if total < 0 || sum < total {
			total = sum
		}
	}
	if total > initTotal {
		t.Errorf("package initialisation takes %.2f ms, more than %.1f", total, initTotal)
	}
	for name, ms := range best {
		if ms > initOne {
			t.Errorf("%s takes %.2f ms to initialise, more than %.1f", name, ms, initOne)
		}
	}
}

func initTimes(t *testing.T, bin string) map[string]float64 {
	t.Helper()
	cmd := exec.Command(bin, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	times := map[string]float64{}
	for _, m := range initLine.FindAllStringSubmatch(trace.String(), -1) {
		ms, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		times[m[1]] += ms
	}
	if len(times) == 0 {
		t.Fatalf("the runtime printed no trace: %s", trace.Bytes())
	}
	return times
}
