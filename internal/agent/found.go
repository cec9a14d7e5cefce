package agent

import "io/fs"

// Found says by what an agent can be told to be used here: a file or folder of the repository,
// its own folder in the person's home, or its program; empty: by nothing. homes are the agent's
// own folders, onPath says whether a program is there.
func (c *Client) Found(repo fs.FS, homes []fs.FS, onPath func(program string) bool) string {
	for _, mark := range c.marks {
		if _, err := fs.Stat(repo, mark); err == nil {
			return mark
		}
	}
	for _, home := range homes {
		if _, err := fs.Stat(home, "."); err == nil {
			return "its folder in your home"
		}
	}
	if onPath(c.program) {
		return "the program " + c.program
	}
	return ""
}
