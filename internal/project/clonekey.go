package project

import (
	"crypto/rand"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// cloneKey is this clone's own random text. It is drawn when it is first needed, and
// lies where all work trees of the clone find it.
func (p *Project) cloneKey() (string, error) {
	name := p.shared("clone-key")
	data, err := p.readOwn(name)
	if key := strings.TrimSpace(string(data)); key != "" || err != nil {
		return key, err
	}
	key := rand.Text()
	return key, fsx.WriteFile(p.FS, name, []byte(key+"\n"))
}
