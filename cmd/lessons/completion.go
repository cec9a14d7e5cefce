package main

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints a script that asks `lessons complete` at each word.
func (c *completionCommand) Run(inv *invocation) error {
	script, err := helpTexts.ReadFile("help/completion/" + c.Shell)
	inv.block(string(script))
	return err
}
