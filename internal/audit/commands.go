package audit

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
)

// missingCommands finds targets, scripts and programs of the repository that lines tell to
// run and that are not there.
func (r *repository) missingCommands(lines []line) []knowledge.Problem {
	var found []knowledge.Problem
	for _, l := range lines {
		if past().MatchString(l.text) {
			continue
		}
		for _, span := range l.spans() {
			for _, c := range shell.Parse(span).Commands {
				if rule, what := r.lacks(c, l.dir); what != "" {
					found = append(found, l.problem(rule, "%s", what))
				}
			}
		}
	}
	return found
}

// lacks says what of a command the repository does not have; empty: nothing.
func (r *repository) lacks(c *shell.Command, dir string) (rule, what string) {
	words := strings.Fields(c.Source)
	for len(words) > 0 && path.Base(words[0]) != c.Program {
		words = words[1:]
	}
	if len(words) == 0 || len(words) == 1 && !strings.HasPrefix(words[0], "./") {
		return "", ""
	}
	args := words[1:]
	switch c.Program {
	case "make", "gmake":
		return r.lacksTarget(args, dir)
	case "npm", "pnpm", "yarn", "bun":
		return r.lacksScript(c.Program, args, dir)
	case "just":
		return lacksRecipe(r.files["justfile"]+r.files["Justfile"], `(?m)^@?([\w-]+)[^:=\n]*:(?:[^=]|$)`, "just", args)
	case "task":
		return lacksRecipe(r.files["Taskfile.yml"]+r.files["Taskfile.yaml"], `(?m)^  ([\w:-]+):`, "task", args)
	case "node", "python", "python3", "bash", "sh", "ruby", "tsx", "ts-node", "deno", "perl", "php":
		return r.lacksFile(c.Program, args, dir)
	case "go":
		if len(args) > 1 && slices.Contains([]string{"run", "test", "build", "generate", "vet", "install"}, args[0]) {
			for _, a := range args[1:] {
				if name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(a, "./"), "/..."), "/"); strings.HasPrefix(a, "./") && name != "..." && name != "." && name != "" && r.missing(name, dir, true) {
					return MissingCommand, a + " is not in the repository"
				}
			}
		}
	default:
		if name := strings.TrimPrefix(words[0], "./"); strings.Contains(words[0], "/") && !strings.HasPrefix(words[0], "/") && r.missing(name, dir, false) && r.known(name) {
			return MissingCommand, words[0] + " is not in the repository"
		}
	}
	return "", ""
}

// known says whether nothing that git ignores would be there.
func (r *repository) known(name string) bool { return !r.ignores([]string{name})[name] }

var (
	targetLine = automata.Lazily(`(?m)^([^\s#:=][^:=\n]*)::?(?:[^=]|$)`)
	flagDir    = automata.Lazily(`^(?:-C|--dir|--prefix|--cwd|--directory)=?(.*)$`)
	scriptName = automata.Lazily(`^[a-z][\w:.-]*$`)
)

func (r *repository) lacksTarget(args []string, dir string) (rule, what string) {
	folder, targets := dir, []string(nil)
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case (a == "-C" || a == "-f") && i+1 < len(args):
			if i++; a == "-C" {
				folder = args[i]
			}
		case strings.HasPrefix(a, "-"), strings.Contains(a, "="), !pathLike().MatchString(a), placeholder().MatchString(a):
		default:
			targets = append(targets, a)
		}
	}
	text := ""
	for _, at := range []string{folder, ""} {
		for _, name := range []string{"Makefile", "makefile", "GNUmakefile"} {
			text += r.files[path.Join(at, name)] + "\n"
		}
	}
	for name, data := range r.files {
		if path.Ext(name) == ".mk" {
			text += data + "\n"
		}
	}
	if strings.TrimSpace(text) == "" {
		return "", ""
	}
	has := map[string]bool{}
	for _, m := range targetLine().FindAllStringSubmatch(text, -1) {
		for name := range strings.FieldsSeq(m[1]) {
			if strings.ContainsAny(name, "%$") {
				return "", "" // nobody knows which there are
			}
			has[name] = true
		}
	}
	for _, t := range targets {
		if !has[t] && !r.has(t, dir) {
			return MissingTarget, "the Makefile has no target " + t
		}
	}
	return "", ""
}

// builtins are what package managers do by themselves.
var builtins = strings.Fields(`add install i ci remove rm uninstall update up upgrade exec dlx x create init link unlink publish pack audit outdated list ls why view info config cache login logout whoami version help store prune dedupe rebuild root bin env set get fund doctor search import patch fetch deploy licenses setup workspace workspaces node self-update approve-builds pm
	test start stop restart`)

func (r *repository) lacksScript(program string, args []string, dir string) (rule, what string) {
	folder, name, filter, run := dir, "", "", false
	for i := 0; i < len(args) && name == ""; i++ {
		a := args[i]
		switch m := flagDir().FindStringSubmatch(a); {
		case m != nil && m[1] != "":
			folder = m[1]
		case m != nil && i+1 < len(args):
			i++
			folder = args[i]
		case (a == "--filter" || a == "-F" || a == "-w" && program == "npm" || a == "--workspace") && i+1 < len(args):
			i++
			filter = args[i]
		case strings.HasPrefix(a, "--filter="), strings.HasPrefix(a, "--workspace="):
			_, filter, _ = strings.Cut(a, "=")
		case a == "workspace" && program == "yarn" && i+1 < len(args):
			i++
			filter = args[i]
		case a == "-r" || a == "--recursive" || a == "--workspaces":
			filter = "*"
		case strings.HasPrefix(a, "-"):
		case (a == "run" || a == "run-script") && !run:
			run = true
		default:
			name = a
		}
	}
	script := scriptName().MatchString(name)
	if len(r.scripts) == 0 || !script || !run && (program == "npm" || slices.Contains(builtins, name)) {
		return "", ""
	}
	for at, m := range r.scripts {
		mine := at == path.Clean(folder) || at == "." && filter == "" || filter != "" && (filter == m.Name || strings.ContainsAny(filter, "*.{"))
		if _, ok := m.Scripts[name]; ok && (mine || folder == "" && filter == "" && dir != "") {
			return "", ""
		}
		if !run && m.provides(name) {
			return "", ""
		}
	}
	return MissingTarget, "no package.json in reach has a script " + name
}

// provides says whether a dependency may bring a program.
func (m manifest) provides(program string) bool {
	for _, all := range []map[string]any{m.Dependencies, m.DevDependencies} {
		for name := range all {
			if strings.Contains(name, program) || program == "tsc" && name == "typescript" {
				return true
			}
		}
	}
	return false
}

func lacksRecipe(text, pattern, program string, args []string) (rule, what string) {
	if text == "" || len(args) == 0 || strings.HasPrefix(args[0], "-") || !pathLike().MatchString(args[0]) {
		return "", ""
	}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		if m[1] == args[0] {
			return "", ""
		}
	}
	return MissingTarget, program + " has no recipe " + args[0]
}

func (r *repository) lacksFile(program string, args []string, dir string) (rule, what string) {
	for i, a := range args {
		switch {
		case a == "-m" && i+1 < len(args):
			name := strings.ReplaceAll(args[i+1], ".", "/")
			first, _, below := strings.Cut(name, "/")
			if below && r.ends[first] && r.defined[first] && !r.ends[name] && !r.ends[name+".py"] {
				return MissingCommand, "there is no module " + args[i+1]
			}
			return "", ""
		case strings.HasPrefix(a, "-"):
			if a == "-c" || a == "-e" {
				return "", ""
			}
		default:
			if name := strings.TrimPrefix(a, "./"); fileEnding(name) && r.missing(name, dir, strings.Contains(name, "/")) && r.known(name) {
				return MissingCommand, a + ", which " + program + " is to run, is not in the repository"
			}
			return "", ""
		}
	}
	return "", ""
}
