package gitstate

import (
	"context"
	"strings"
)

// LocalConfig implements [Program].
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

// SetLocalConfig implements [Program].
func (r *execRepo) SetLocalConfig(ctx context.Context, name, value string) error {
	_, err := r.program.run(ctx, nil, "config", "--local", "--replace-all", name, value)
	return err
}

// RemoveLocalSection implements [Program].
func (r *execRepo) RemoveLocalSection(ctx context.Context, section string) error {
	_, err := r.program.run(ctx, nil, "config", "--local", "--remove-section", section)
	return err
}
