package project

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// trustCommitted trusts what this person wrote with an editor and committed in this clone:
// author and committer are who git says they are, and a reflog of HEAD records git commit.
// It says whether there was something to look at: what was looked at once is known.
func (p *Project) trustCommitted(ctx context.Context) bool {
	repo, ok := p.Git.(gitstate.Program)
	if !ok {
		return false
	}
	made, err := repo.Committed()
	if err != nil {
		return false
	}
	name := p.shared("own-commits")
	data, _ := p.FS.ReadFile(name)
	seen := lists.Set(strings.Fields(string(data)))
	fresh := lists.Filter(made, func(oid string) bool { return !seen[oid] })
	if len(fresh) == 0 {
		return false
	}
	own, err := p.byThisPerson(ctx, repo, fresh)
	if err != nil {
		return false
	}
	changes, err := p.changesOf(ctx, own)
	if err != nil {
		return false
	}
	err = p.trustMade(changes, func(string, thing) bool { return true })
	for _, c := range changes {
		err = errors.Join(err, p.Store.VouchMade(c))
	}
	if err == nil {
		_ = fsx.WriteFile(p.FS, name, []byte(strings.Join(made, "\n")+"\n")) // else they are looked at again
	}
	return true
}

// byThisPerson are those of the commits of which author and committer are this person.
func (p *Project) byThisPerson(ctx context.Context, repo gitstate.Program, oids []string) ([]string, error) {
	name, email, err := repo.Identity(ctx)
	if err != nil {
		return nil, err
	}
	name, email = cmp.Or(p.Env("GIT_COMMITTER_NAME"), name), cmp.Or(p.Env("GIT_COMMITTER_EMAIL"), email)
	objects, err := p.Git.Objects(ctx, oids, true)
	if err != nil {
		return nil, err
	}
	var own []string
	for _, o := range objects {
		head, _, _ := bytes.Cut(o.Data, []byte("\n\n"))
		is := func(role string) bool {
			return email != "" && bytes.Contains(append([]byte("\n"), head...), []byte("\n"+role+" "+name+" <"+email+"> "))
		}
		if is("author") && is("committer") {
			own = append(own, o.OID)
		}
	}
	return own, nil
}

// changesOf are the changes that commits made in the knowledge folders.
func (p *Project) changesOf(ctx context.Context, oids []string) ([]store.Change, error) {
	var names []string
	for _, oid := range oids {
		for _, folder := range knowledge.Folders {
			names = append(names, oid+":"+folder, oid+"^:"+folder)
		}
	}
	trees, err := p.Git.Objects(ctx, names, false)
	if err != nil {
		return nil, err
	}
	per := 2 * len(knowledge.Folders)
	var touching []string
	for i, oid := range oids {
		for at := i * per; at < (i+1)*per; at += 2 {
			if !trees[at].Missing && trees[at].OID != trees[at+1].OID {
				touching = append(touching, oid)
				break
			}
		}
	}
	commits, err := p.Git.Renames(ctx, touching)
	if err != nil {
		return nil, err
	}
	var changes []store.Change
	for _, c := range commits {
		for _, change := range c.Changes {
			if change.Status == "D" || !knowledge.InFolders(change.Path) {
				continue
			}
			blobs, err := p.Git.Objects(ctx, []string{change.NewOID, change.OldOID}, true)
			if err != nil {
				return nil, err
			}
			changes = append(changes, store.Change{Path: change.Path, Before: blobs[1].Data, After: blobs[0].Data})
		}
	}
	return changes, nil
}
