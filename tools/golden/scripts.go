package main

import (
	"embed"
	"path"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// data holds shell scripts, and what they work on.
//
//go:embed data
var data embed.FS

const renderScript = "render.sh"

// playText runs a script behind the functions that all of them share.
func (m *machine) playText(text string, args ...string) string {
	for _, name := range []string{"ready.jsonl", "lessons.txtar"} {
		if err := writeFile(m.path(name), mustRead(name)); err != nil {
			return err.Error()
		}
	}
	for _, f := range txtar.Parse([]byte(mustRead("lessons.txtar"))).Files {
		if err := writeFile(m.path("lessons/"+f.Name), string(f.Data)); err != nil {
			return err.Error()
		}
	}
	return m.run(".", "", "sh", append([]string{"-c", "exec 2>&1\n" + mustRead("functions.sh") + text, "sh"}, args...)...)
}

func mustRead(name string) string {
	text, err := data.ReadFile(path.Join("data", name))
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// playScripts renders the ready observations, and plays the stories of hooks and
// the situations for reconcile, each in both layouts where that matters.
func playScripts(_ options, m *machine, out *output, work *pool) error {
	job := func(name, text string) error {
		own, err := m.in("play/" + strings.ReplaceAll(name, "/", "-"))
		if err != nil {
			return err
		}
		work.do(func() error {
			if err := writeFile(own.path("log.jsonl"), mustRead("ready.jsonl")); err != nil {
				return err
			}
			return out.write(name+".txt", own.playText(text))
		})
		return nil
	}
	for _, layout := range []string{"book", "files"} {
		own, err := m.in("play/render-" + layout)
		if err != nil {
			return err
		}
		work.do(func() error {
			if err := writeFile(own.path("log.jsonl"), mustRead("ready.jsonl")); err != nil {
				return err
			}
			return out.writeParts("render/ready-"+layout, own.playText(mustRead(renderScript), layout))
		})
		for _, f := range txtar.Parse([]byte(mustRead("reconcile.txtar"))).Files {
			if layout == "files" && !dependsOnLayout(string(f.Data)) {
				continue
			}
			if err := job("reconcile/"+f.Name+"-"+layout, "layout="+layout+"\n"+mustRead("begin.sh")+string(f.Data)); err != nil {
				return err
			}
		}
	}
	for _, f := range txtar.Parse([]byte(mustRead("stories.txtar"))).Files {
		if err := job("hooks/stories/"+f.Name, "layout=book\n"+mustRead("begin.sh")+mustRead("teach.sh")+string(f.Data)); err != nil {
			return err
		}
	}
	return nil
}

// dependsOnLayout says whether a situation is about what the layouts keep apart:
// entries and the manifest.
func dependsOnLayout(script string) bool {
	for _, word := range []string{"$layout", "$manifest", ".memory", "--cone", "merge"} {
		if strings.Contains(script, word) {
			return true
		}
	}
	return false
}
