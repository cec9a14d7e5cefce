package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
)

// Limits of package initialisation, in milliseconds.
const (
	maxInitTotal = 3.0
	maxInitOne   = 0.5
)

var initLine = regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`)

// benchInit reads what the runtime says each package's initialisation took; the
// best of several runs counts, because the clock includes other programs.
func benchInit(p *place) ([]row, error) {
	best, slowest := -1.0, ""
	worst := 0.0
	for range p.runs / 4 {
		total, name, most, err := initTimes(p)
		if err != nil {
			return nil, err
		}
		if best < 0 || total < best {
			best, slowest, worst = total, name, most
		}
	}
	return []row{
		{"package initialisation of lessons, in total", fmt.Sprintf("%.2f ms", best), fmt.Sprintf("<= %.1f ms", maxInitTotal), best <= maxInitTotal},
		{"package initialisation, the slowest: " + slowest, fmt.Sprintf("%.2f ms", worst), fmt.Sprintf("<= %.1f ms", maxInitOne), worst <= maxInitOne},
	}, nil
}

func initTimes(p *place) (total float64, slowest string, most float64, err error) {
	cmd := exec.Command(p.lessons, "version")
	cmd.Env = append(p.env(), "GODEBUG=inittrace=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return 0, "", 0, err
	}
	for _, m := range initLine.FindAllStringSubmatch(stderr.String(), -1) {
		ms, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return 0, "", 0, err
		}
		total += ms
		if ms > most {
			slowest, most = m[1], ms
		}
	}
	if most == 0 {
		return 0, "", 0, fmt.Errorf("the runtime printed no init trace: %s", stderr.Bytes())
	}
	return total, slowest, most, nil
}
