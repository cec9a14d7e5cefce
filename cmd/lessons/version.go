package main

import (
	"runtime/debug"
)

// release is set by the linker for release builds.
var release string

type versionCommand struct{ jsonOutput }

// Run prints the version that this binary was built from.
func (c *versionCommand) Run(inv *invocation) error {
	v := buildVersion()
	if c.JSON {
		return inv.printJSON(map[string]string{"version": v})
	}
	inv.printf("lessons %s\n", v)
	return nil
}

// buildVersion is the linker's word, else what Go recorded, else "devel".
func buildVersion() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
