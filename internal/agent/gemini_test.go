package agent

import "testing"

// TestExitCodeStandsBehindTheOutput: what a program prints is not the footer.
func TestExitCodeStandsBehindTheOutput(t *testing.T) {
	for text, want := range map[string]bool{
		"Output: x\nExit Code: 127\nProcess Group PGID: 3":  true,
		"Output: x\nSignal: 9\nProcess Group PGID: 3":       true,
		"Output: x\nError: spawn\nExit Code: 1":             true,
		"Output: x\nProcess Group PGID: 3":                  false,
		"Output: Exit Code: 1\nmore\nProcess Group PGID: 3": false,
		"Output: a\nExit Code: 1\nmore":                     false,
		"":                                                  false,
		"Process Group PGID: 3":                             false,
	} {
		if got := failed(text); got != want {
			t.Errorf("%q: failed is %v", text, got)
		}
	}
}

func TestHooksContextIsNotThePersonsPrompt(t *testing.T) {
	for prompt, want := range map[string]string{
		"<hook_context>a</hook_context>\n\nrun the tests":                           "run the tests",
		"<hook_context>a</hook_context>\n\n<hook_context>b\n</hook_context>\n\nrun": "run",
		"what is <hook_context>x</hook_context>?":                                   "what is <hook_context>x</hook_context>?",
		"<hook_context>never closed":                                                "<hook_context>never closed",
		"<hook_context>a</hook_context>":                                            "",
	} {
		if got := withoutContext(prompt); got != want {
			t.Errorf("%q: got %q", prompt, got)
		}
	}
}
