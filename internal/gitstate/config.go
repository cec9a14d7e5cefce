package gitstate

import (
	"context"
	"strings"
)

// Configured is a repository whose own configuration (.git/config) can be read
// and written. Only the git program offers it.
type Configured interface {
	// LocalConfig is the repository's own configuration, by full name with the
	// section and the last part in lower case. The last of several values counts.
	LocalConfig(ctx context.Context) (map[string]string, error)
	SetLocalConfig(ctx context.Context, name, value string) error
	// RemoveLocalSection takes out a section, such as "merge.lessons-log".
	RemoveLocalSection(ctx context.Context, section string) error
}

var _ Configured = (*execRepo)(nil)

// LocalConfig implements [Configured].
func (r *execRepo) LocalConfig(ctx context.Context) (map[string]string, error) {
	out, err := r.program.run(ctx, nil, "config", "--local", "--no-includes", "-z", "--list")
	if err != nil {
		return nil, err
	}
	settings := map[string]string{}
	for pair := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		name, value, _ := strings.Cut(pair, "\n")
		settings[name] = value
	}
	return settings, nil
}

// SetLocalConfig implements [Configured].
func (r *execRepo) SetLocalConfig(ctx context.Context, name, value string) error {
	_, err := r.program.run(ctx, nil, "config", "--local", "--replace-all", name, value)
	return err
}

// RemoveLocalSection implements [Configured].
func (r *execRepo) RemoveLocalSection(ctx context.Context, section string) error {
	_, err := r.program.run(ctx, nil, "config", "--local", "--remove-section", section)
	return err
}
