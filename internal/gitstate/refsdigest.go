package gitstate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// RefsDigest implements [Repository] (fact F11) from the files that hold the
// refs, in either storage format: no process, and the same for both adapters.
// Packing refs changes it too, which costs a memo and no answer.
func (f files) RefsDigest(ctx context.Context) (string, error) {
	h := sha256.New()
	trees := append([]string{f.at.CommonDir}, f.linked()...)
	for _, dir := range trees {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		for _, name := range []string{"HEAD", "packed-refs", filepath.Join("reftable", "tables.list")} {
			if err := hashFile(h, filepath.Join(dir, name)); err != nil {
				return "", err
			}
		}
		if err := hashRefs(ctx, h, filepath.Join(dir, "refs")); err != nil {
			return "", err
		}
	}
	for _, path := range []string{
		filepath.Join(f.at.CommonDir, "shallow"),
		filepath.Join(f.at.GitDir, "logs", "HEAD"),
		filepath.Join(f.at.CommonDir, "logs", "refs", "stash"),
	} {
		stampFile(h, path)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hashRefs(ctx context.Context, h hash.Hash, root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist): // gone since it was listed
			return nil
		case err != nil:
			return fmt.Errorf("refs: %w", err)
		case d.IsDir():
			return nil
		}
		return hashFile(h, path)
	})
}

// hashFile adds a file's name and content; an absent file adds nothing.
func hashFile(h hash.Hash, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && !info.Mode().IsRegular()) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("refs: %w", err)
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("refs: %w", err)
	}
	defer file.Close()
	fmt.Fprintf(h, "%q\n", path)
	n, err := io.Copy(h, file)
	if err != nil {
		return fmt.Errorf("refs: %w", err)
	}
	fmt.Fprintf(h, "%d\n", n)
	return nil
}
