package scan

import "testing"

// A session that the model step opened teaches nothing, whatever folders are
// accepted; one in which a person speaks of its prompt is a session as any other.
func TestTheModelStepsOwnSessionsAreRefused(t *testing.T) {
	prompt := user(ModelPrompt + " v1\nName these episodes.")
	lesson := says("Done.\n\n" + goodTag)
	for name, c := range map[string]struct {
		story story
		own   bool
	}{
		"the prompt":                  {story{prompt, lesson}, true},
		"behind the agent's words":    {story{user("<environment>\nlinux"), prompt, lesson}, true},
		"a person's words behind it":  {story{prompt, user("no, use tabs instead"), lesson}, true},
		"quoted within a message":     {story{user("what is " + ModelPrompt + "?"), lesson}, false},
		"pasted later in the session": {story{user("hello"), says("hi"), prompt, lesson}, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := memory("/s/a.jsonl", claudeFile("s1", c.story.events()))
			for _, in := range []Input{{}, {Root: "/home/dev/app"}, {Root: "/elsewhere", Foreign: true}} {
				in.Files = []File{file}
				r := scanAll(t, in)
				if own := r.Foreign == 1 && len(r.Log.Observations()) == 0; own != c.own {
					t.Errorf("foreign %d, %d observations", r.Foreign, len(r.Log.Observations()))
				}
				if again := scanAll(t, Input{Files: []File{file}, Root: in.Root, Foreign: in.Foreign, State: r.State}); c.own && len(again.Log.Observations()) > 0 {
					t.Error("the second scan learned from it")
				}
			}
		})
	}
}
