package gitdir

import (
	"path/filepath"
	"strings"
)

// Origin returns the URL of the remote "origin" as the repository's own
// configuration gives it, without scheme, user and ".git", so that clones over
// different protocols say the same. It is empty when there is none.
func Origin(commonDir string) string {
	settings, err := readConfig(filepath.Join(commonDir, "config"))
	if err != nil {
		return ""
	}
	for _, s := range settings {
		if s.section == "remote" && s.sub == "origin" && s.key == "url" {
			return plainURL(s.value)
		}
	}
	return ""
}

func plainURL(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	} else if host, path, ok := strings.Cut(url, ":"); ok && !strings.Contains(host, "/") && len(host) > 1 {
		url = host + "/" + path // user@host:path
	}
	if user, rest, ok := strings.Cut(url, "@"); ok && !strings.Contains(user, "/") {
		url = rest
	}
	return strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
}
