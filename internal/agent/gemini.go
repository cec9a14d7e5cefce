package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// geminiSettings is the file in which hooks are registered. Gemini knows no other
// one in a repository.
const geminiSettings = ".gemini/settings.json"

// geminiTools are those whose calls can match a lesson.
const geminiTools = "^(run_shell_command|read_file|read_many_files|replace|write_file|glob|grep_search|search_file_content|mcp_.*)$"

// Gemini is Gemini CLI. What a hook says before a tool runs is dropped, so the
// time for it is after the tool, or with the next prompt. It announces a
// compression before every request, and only that of a person is one. There are
// no events for sub-agents. Input without a transcript looks like Copilot's, but
// nothing else than Gemini reads its settings.
var Gemini = &Client{
	Name:    "gemini",
	home:    folder{env: "GEMINI_CLI_HOME", below: ".gemini"},
	program: "gemini", marks: []string{".gemini", "GEMINI.md"},
	team: geminiSettings, file: hookfile.Nested, label: "lessons", milliseconds: true,
	hooks: []hook{
		{native: SessionStart, event: SessionStart, can: TellModel | TellPerson, timeout: 10},
		{native: "BeforeAgent", event: UserPromptSubmit, can: TellModel | TellPerson},
		{native: "BeforeTool", event: PreToolUse, can: TellPerson | DenyCall | AskPerson | ChangeInput, matcher: geminiTools},
		{native: "AfterTool", event: PostToolUse, can: TellModel | TellPerson, matcher: geminiTools},
		{native: "AfterAgent", event: Stop, can: TellPerson | HoldStop},
		{native: "PreCompress", event: PreCompact, matcher: "manual", kind: "manual"},
		{native: SessionEnd, event: SessionEnd, timeout: 10},
	},
	tools: tools.Gemini,
	input: fields{
		session: "session_id", cwd: "cwd", transcript: "transcript_path", kind: "trigger",
		source: "source", prompt: "prompt", message: "prompt_response", again: "stop_hook_active",
		tool: "tool_name", args: "tool_input",
		paths: "file_path absolute_path dir_path path", content: "content new_string",
	},
	taken: []string{"copilot"},
	answer: []field{
		{name: "decision", says: theVerdict | theHold},
		{name: "reason", says: theReason | theCause},
		{name: "systemMessage", says: theMessage},
		{name: "hookSpecificOutput", object: []field{
			{name: "hookEventName", says: theEvent},
			{name: "additionalContext", says: theContext},
			{name: "tool_input", says: theInput}, // merged over the call's own
		}},
	},
	held:      Deny,
	adjust:    adjustGemini,
	sessions:  geminiSessions,
	memories:  geminiMemories,
	obstacles: geminiObstacles,
	personal:  []string{"settings.json", "extensions/*/hooks/hooks.json"},
	// The policy takes all tools from the model; the argument of --prompt stands
	// behind what comes on standard input.
	asking: &asking{
		before: []string{"--output-format", "json", "--policy", "no-tools.toml", "--extensions", "none"},
		after:  []string{"--prompt", "Answer now."},
		env:    []string{"GEMINI_CLI_NO_RELAUNCH=true"},
		files:  map[string]string{"no-tools.toml": "[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n"},
		answer: geminiAnswer,
	},
}

// adjustGemini takes off the marks that Gemini puts around texts, and tells how a
// call ended.
func adjustGemini(e *Event, o payload.Object) {
	e.Prompt = withoutContext(e.Prompt)
	c := e.Call
	if c == nil {
		return
	}
	if c.RawTool == "read_many_files" {
		c.Paths = append(c.Paths, o.Object("tool_input").Texts("include paths")...)
	}
	if e.Name == PostToolUse {
		response := o.Object("tool_response")
		text := unwrap(payload.Plain(response["llmContent"]))
		c.Failed = response.Has("error") || c.Tool == "Bash" && failed(text)
		c.Response = strings.TrimPrefix(text, "Output: ")
		if response.Has("error") {
			e.Can &^= TellModel // the context would be dropped: the next prompt takes it
		}
	}
}

const contextStart, contextEnd = "<hook_context>", "</hook_context>"

// withoutContext takes out what hooks put before a person's words.
func withoutContext(prompt string) string {
	for strings.HasPrefix(prompt, contextStart) {
		_, rest, ok := strings.Cut(prompt, contextEnd)
		if !ok {
			break
		}
		prompt = strings.TrimLeft(rest, "\n")
	}
	return prompt
}

// unwrap takes off the marks around a command's output.
func unwrap(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "<untrusted_context>")
	if !ok {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(inner, "</untrusted_context>"))
}

// footer are the lines that stand behind a command's output. The first two tell
// of a failure: Gemini leaves out an exit code of 0.
var footer = []string{"Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ", "Error: "}

// failed reads the lines behind the output from the end: a line of the output
// itself that looks like an exit code does not count.
func failed(text string) bool {
	for text != "" {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		at := slices.IndexFunc(footer, func(f string) bool { return strings.HasPrefix(last, f) })
		if at < 2 {
			return at >= 0
		}
		text = strings.TrimSuffix(text[:len(text)-len(last)], "\n")
	}
	return false
}

// geminiSessions are the chats of a repository, sub-agents' included. They lie
// below tmp in a folder per project: a short name that projects.json or the
// folder's own .project_root explains, of older versions the hash of the path.
func geminiSessions(home fs.FS, root string) ([]string, error) {
	folders, err := geminiFolders(home, root)
	var files []string
	for _, dir := range folders {
		found, _ := filesBelow(home, dir+"/chats", func(name string) bool { return path.Ext(name) == ".jsonl" || path.Ext(name) == ".json" })
		files = append(files, found...)
	}
	return files, err
}

// geminiMemories are those of all projects, and the folder of a repository, where its inbox
// is too.
func geminiMemories(home fs.FS, root string) []string {
	folders, _ := geminiFolders(home, root)
	return append([]string{"GEMINI.md"}, lists.Map(folders, func(dir string) string { return dir + "/memory" })...)
}

// geminiFolders are those in which it keeps what belongs to a repository.
func geminiFolders(home fs.FS, root string) ([]string, error) {
	folders, err := fs.ReadDir(home, "tmp")
	known := geminiProjects(home, root)
	var dirs []string
	for _, folder := range folders {
		dir := "tmp/" + folder.Name()
		projectRoot, _ := fs.ReadFile(home, dir+"/.project_root") // older versions have none
		if folder.IsDir() && (known[folder.Name()] || Inside(strings.TrimSpace(string(projectRoot)), root)) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, err
}

// geminiProjects are the names of folders that belong to a repository.
func geminiProjects(home fs.FS, root string) map[string]bool {
	sum := sha256.Sum256([]byte(root))
	known := map[string]bool{hex.EncodeToString(sum[:]): true}
	projects := objectIn(home, "projects.json").Object("projects")
	for dir := range projects {
		if Inside(dir, root) {
			known[projects.Text(dir)] = true
		}
	}
	return known
}

// geminiAnswer reads the one object that --output-format json prints.
func geminiAnswer(stdout []byte) (string, error) {
	var result struct {
		Response string `json:"response"`
		Error    *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	switch err := json.Unmarshal(stdout, &result); {
	case err != nil:
		return "", errors.New("gemini did not print its answer as JSON")
	case result.Error != nil:
		return "", errors.New("gemini says: " + result.Error.Message)
	}
	return result.Response, nil
}
