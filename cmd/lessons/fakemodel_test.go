package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// fakeModel is the program that scenarios of the model step ask. FAKEMODEL says
// how it answers, in turn; what it is told goes into the file that SEEN names.
func fakeModel() {
	prompt, _ := io.ReadAll(os.Stdin)
	dir, _ := os.Getwd()
	calls := note(fmt.Sprintf("args %q dir %s learning %s\n%s", os.Args[1:], dir, os.Getenv("LESSONS_LEARNING"), prompt))
	modes := strings.Split(os.Getenv("FAKEMODEL"), ",")
	switch mode := modes[min(calls, len(modes)-1)]; mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "not logged in: "+fakeKey())
		os.Exit(1)
	case "hang":
		time.Sleep(time.Minute)
	case "prose":
		fmt.Println("I would rather not.")
	case "huge":
		line := strings.Repeat("x", 1<<20)
		for range 64 {
			fmt.Println(line)
		}
	default:
		hooksAreSilent()
		fmt.Println("```json\n{\"items\":[" + strings.Join(items(mode, string(prompt)), ",") + "]}\n```")
	}
}

// fakeKey looks like a secret and is none.
func fakeKey() string { return "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36] }

// note appends to the file SEEN and returns how often that was done before.
func note(text string) int {
	seen, _ := os.ReadFile(os.Getenv("SEEN"))
	f, err := os.OpenFile(os.Getenv("SEEN"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "== call\n%s", text)
	return strings.Count(string(seen), "== call\n")
}

// hooksAreSilent calls the repository's hook, as an agent would that was started
// there all the same.
func hooksAreSilent() {
	cmd := exec.Command("lessons", "hook", "claude", "SessionStart")
	cmd.Dir = os.Getenv("REPO")
	cmd.Stdin = strings.NewReader(`{"session_id":"s9","source":"startup"}`)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		note(fmt.Sprintf("THE HOOK SPOKE: %s %v\n", out, err))
	}
}

var episode = regexp.MustCompile(`\{"id":"(obs_\w+)","type":"(\w+)".*?"evidence":\["((?:[^"\\]|\\.)*)"`)

// items answers about every episode of a prompt.
func items(mode, prompt string) []string {
	_, data, _ := strings.Cut(prompt, "<episodes>\n")
	var all []string
	for _, m := range episode.FindAllStringSubmatch(data, -1) {
		id, quote, title, why, trigger := m[1], m[3], "Said better: "+m[2], "", ""
		switch mode {
		case "invent":
			quote = "never said"
		case "unknown":
			id = "obs_nobody"
		case "arm":
			trigger = `,"trigger":"rm"`
		case "secret":
			why = "the key is " + fakeKey()
		}
		if mode == "reject" {
			all = append(all, fmt.Sprintf(`{"episodes":[%q],"none":"of no use later"}`, id))
			continue
		}
		all = append(all, fmt.Sprintf(`{"episodes":[%q],"nature":"shape","title":%q,"why":%q,"quotes":["%s"]%s}`, id, title, why, quote, trigger))
	}
	return all
}
