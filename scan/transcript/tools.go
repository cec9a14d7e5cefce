package transcript

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// inputs are the names under which the agents give what Claude Code calls by
// the first of each row.
var inputs = [][]string{
	{"file_path", "filePath", "absolute_path", "path", "dir_path"},
	{"old_string", "oldString", "old_str"},
	{"new_string", "newString", "new_str"},
	{"content", "file_text"},
	{"command", "cmd"},
}

// canonical gives a call the name and the input that it would have in Claude
// Code: commands as one line, files under file_path, edits with old and new
// text. What is not translated stays in the input as it is.
func canonical(names tools.Names, tool string, in value) (string, json.RawMessage) {
	name, known := names[tool]
	if !known {
		return tool, json.RawMessage(bytes.Clone(in))
	}
	switch {
	case name == "Bash":
		argv := in.pick("command", "cmd")
		line := ""
		for _, v := range argv {
			if line == "" {
				line = commandLine(v)
			}
		}
		if body, ok := shellPatch(line, argv[0]); ok {
			return patchCall(body)
		}
		return name, rename(in, map[string]string{"command": line})
	case tool == "apply_patch" || tool == "patch":
		body := in.text()
		for _, v := range in.pick("input", "patch", "patchText", "command") {
			if body == "" {
				body = v.text()
			}
		}
		return patchCall(body)
	}
	return name, rename(in, nil)
}

// rename puts the members of an input under everybody's names. Set replaces
// values.
func rename(in value, set map[string]string) json.RawMessage {
	out := map[string]json.RawMessage{}
	in.members(func(key string, member value) {
		for _, names := range inputs {
			for _, n := range names[1:] {
				if _, taken := out[names[0]]; key == n && !taken {
					key = names[0]
				}
			}
		}
		if raw := member.input(); raw != nil {
			out[key] = raw
		}
	})
	for key, text := range set {
		out[key] = encode(text)
	}
	return encode(out)
}

// commandLine reads a command: one line, or arguments, of which a shell's
// script is the line.
func commandLine(v value) string {
	if v.first() == '"' {
		return v.text()
	}
	var argv []string
	for _, arg := range v.list() {
		if arg.first() != '"' {
			return ""
		}
		argv = append(argv, arg.text())
	}
	if len(argv) >= 3 && shells[base(argv[0])] && strings.HasPrefix(argv[1], "-") && strings.HasSuffix(argv[1], "c") {
		return argv[2]
	}
	for i, arg := range argv {
		argv[i] = quoteArg(arg)
	}
	return strings.Join(argv, " ")
}

var shells = map[string]bool{"bash": true, "sh": true, "zsh": true, "dash": true, "ksh": true, "fish": true}

func base(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// quoteArg writes an argument so that a shell reads it as one word.
func quoteArg(arg string) string {
	if arg != "" && !strings.ContainsAny(arg, " \t\n'\"\\$`;&|<>()*?[]{}~#!") {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// shellPatch returns the patch of a shell call that is nothing but one, which
// is how older versions of Codex edit.
func shellPatch(line string, argv value) (string, bool) {
	if args := argv.list(); len(args) == 2 && args[0].text() == "apply_patch" {
		return args[1].text(), true
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "apply_patch")
	if !ok {
		return "", false
	}
	from, to := strings.Index(rest, "*** Begin Patch"), strings.LastIndex(rest, "*** End Patch")
	if from < 0 || to < from || strings.IndexByte(strings.TrimSpace(rest[:from]), '\n') >= 0 {
		return "", false
	}
	return rest[from : to+len("*** End Patch")], true
}

// patchCall is a patch as an edit of its first file. One that only makes new
// files writes them.
func patchCall(body string) (string, json.RawMessage) {
	var path string
	var before, after []string
	adds := true
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		if at, name, ok := patchMark(line); ok {
			if path == "" {
				path = name
			}
			adds = adds && at == "Add"
			continue
		}
		switch {
		case strings.HasPrefix(line, "***"), strings.HasPrefix(line, "@@"), line == "":
		case line[0] == '-':
			before = append(before, line[1:])
		case line[0] == '+':
			after = append(after, line[1:])
		case line[0] == ' ':
			before, after = append(before, line[1:]), append(after, line[1:])
		}
	}
	in := map[string]string{"file_path": path}
	if adds && path != "" {
		in["content"] = strings.Join(after, "\n")
		return "Write", encode(in)
	}
	in["old_string"], in["new_string"] = strings.Join(before, "\n"), strings.Join(after, "\n")
	return "Edit", encode(in)
}

// patchMark reads a line that begins the changes of one file.
func patchMark(line string) (what, name string, ok bool) {
	for _, what := range []string{"Add", "Update", "Delete"} {
		if name, ok := strings.CutPrefix(line, "*** "+what+" File: "); ok && strings.TrimSpace(name) != "" {
			return what, strings.TrimSpace(name), true
		}
	}
	return "", "", false
}
