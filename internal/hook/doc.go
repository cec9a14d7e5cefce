// Package hook answers what a coding agent asks at each tool call, prompt and
// stop, from the compiled index alone: no Markdown is parsed, no process is
// started but one, and nothing big is linked, because an agent waits for it
// every time. What needs the whole program, such as the start of a session, is
// handed on.
package hook
