package inject

import "path/filepath"

// UserRoot is where a person keeps lessons for all repositories: a folder of the
// shape of a repository, in the person's configuration. home is the home folder.
func UserRoot(env func(string) string, home string) string {
	if dir := env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "lessons")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".config", "lessons")
}
