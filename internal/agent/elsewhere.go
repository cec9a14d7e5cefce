package agent

import (
	"io/fs"
	"path"
)

// Elsewhere says where lessons' hooks are registered beside a repository's own files: in
// settings of a person for all repositories, by an extension, by a plugin. personal is the folder
// of these settings, repo the work tree.
func (c *Client) Elsewhere(personal, repo fs.FS) []string {
	var found []string
	for _, pattern := range c.personal {
		files, _ := fs.Glob(personal, pattern) // the patterns are well formed
		for _, file := range files {
			doc, err := fs.ReadFile(personal, file)
			if err != nil {
				continue // it registers nothing
			}
			if events, _ := c.Registered(doc); len(events) > 0 {
				found = append(found, path.Join("~", c.settingsFolder().base, c.settingsFolder().below, file))
			}
		}
	}
	if c.plugins != nil {
		found = append(found, c.plugins(personal, repo)...)
	}
	return found
}
