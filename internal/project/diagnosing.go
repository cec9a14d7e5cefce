package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/reconcile"
)

// Diagnosis is what doctor looks at beside the repository.
type Diagnosis struct {
	Clients    []*agent.Client
	Executable string
}

// Result is one answer of doctor.
type Result struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
	Next string `json:"next,omitempty"` // what to do
}

// Diagnose looks at everything that keeps lessons from working.
func (p *Project) Diagnose(ctx context.Context, s *store.Snapshot, d Diagnosis) []Result {
	results := []Result{p.diagnoseGit(), p.diagnosePath(d)}
	results = append(results, lists.Flat(p.InUse(d.Clients), func(c *agent.Client) []Result { return p.diagnoseHooks(ctx, c) })...)
	results = append(results, p.diagnoseScan())
	for _, skipped := range p.Skipped() {
		results = append(results, Result{"session", false, skipped.Path, skipped.Text})
	}
	results = append(results, p.diagnoseIgnored(ctx), p.diagnoseDrivers(ctx), p.diagnoseTrust(ctx, s), diagnoseFiles(s))
	return append(results, p.diagnoseArtifacts(ctx, s)...)
}

func (p *Project) diagnoseGit() Result {
	if p.Git == nil {
		return Result{"git", false, "this folder is in no git repository: nobody can witness what people delete", "git init"}
	}
	if operation, err := p.Git.Operation(); err == nil && operation != "" {
		return Result{"git", false, operation + " is in progress: nothing is rendered until it ends", "finish or abort it"}
	}
	return Result{Name: "git", OK: true, Text: p.Root}
}

// diagnoseDrivers says whether git merges knowledge by its entries here.
func (p *Project) diagnoseDrivers(ctx context.Context) Result {
	const name = "merge drivers"
	missing, err := p.DriversMissing(ctx)
	attributes, readErr := p.Read(attributesPath)
	_, _, committed := ownBlock(attributes)
	switch {
	case err != nil || readErr != nil:
		return Result{name, false, errors.Join(err, readErr).Error(), "correct it, then run lessons init"}
	case len(missing) > 0 || !committed:
		return Result{name, false, "not registered in this clone: git merges knowledge line by line", "lessons doctor --fix (after a merge without them: lessons resolve)"}
	}
	return Result{Name: name, OK: true, Text: "registered"}
}

func (p *Project) diagnosePath(d Diagnosis) Result {
	found, err := exec.LookPath("lessons")
	if err != nil {
		return Result{"on PATH", false, "lessons is not on PATH, so the registered hooks do nothing", "put " + d.Executable + " into a folder of PATH"}
	}
	a, _ := filepath.EvalSymlinks(found)
	b, _ := filepath.EvalSymlinks(d.Executable)
	if a != b {
		return Result{"on PATH", false, "hooks run " + found + ", which is not this program", "put " + d.Executable + " first"}
	}
	return Result{Name: "on PATH", OK: true, Text: found}
}

// diagnoseHooks runs each registered hook once, the way the agent does.
func (p *Project) diagnoseHooks(ctx context.Context, c *agent.Client) []Result {
	where, err := p.HooksIn(c)
	if err != nil {
		return []Result{{c.Name + " hooks", false, err.Error(), "correct the file, then run lessons init"}}
	}
	everywhere := p.HooksElsewhere(c)
	if len(where)+len(everywhere) == 0 {
		return []Result{{c.Name + " hooks", false, "not registered", "lessons init"}}
	}
	var results []Result
	if len(everywhere) > 0 {
		results = append(results, Result{Name: c.Name + " hooks", OK: true, Text: "registered for all your repositories by " + strings.Join(everywhere, " and ")})
	}
	times := map[string]int{}
	for _, path := range where {
		doc, err := p.Read(path)
		if err != nil {
			continue
		}
		events, _ := c.Registered(doc)
		for _, e := range events {
			times[e]++
		}
		for _, f := range c.Foreign(doc) {
			results = append(results, Result{c.Name + " hooks", false, "another tool writes the same files: " + f, "remove one of the two"})
		}
	}
	results = append(results, p.obstacles(c)...)
	for _, event := range c.Events() {
		switch n := times[string(event)]; {
		case n == 1, n == 0 && len(everywhere) > 0:
			results = append(results, p.tryHook(ctx, c, event))
		case n == 0:
			results = append(results, Result{eventName(c, event), false, "not registered", "lessons doctor --fix"})
		default:
			results = append(results, Result{eventName(c, event), false, fmt.Sprintf("registered %d times", n), "keep it in one of " + strings.Join(where, ", ")})
		}
	}
	return results
}

// obstacles is what the agent's own files say against its hooks firing.
func (p *Project) obstacles(c *agent.Client) []Result {
	found := c.Obstacles(os.DirFS(c.Home(p.Home, p.Env)), os.DirFS(p.Root), p.Root)
	return lists.Map(found, func(o agent.Obstacle) Result { return Result{c.Name + " hooks", false, o.Text, o.Next} })
}

// eventName is the event, with its agent where that is not the usual one.
func eventName(c *agent.Client, event agent.EventName) string {
	if c.Name == "claude" {
		return string(event)
	}
	return c.Name + " " + string(event)
}

// tryHook runs the registered command through the shell with a payload as the
// agent would send it. LESSONS_DRY_RUN keeps it from starting background work.
func (p *Project) tryHook(ctx context.Context, c *agent.Client, event agent.EventName) Result {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", c.Command(event))
	cmd.Dir = p.Root
	cmd.Env = append(cmd.Environ(), "LESSONS_DRY_RUN=1")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"cwd":%q,"source":"startup"}`, event, p.Root))
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start).Round(time.Millisecond)
	wants := event == agent.SessionStart || event == agent.SubagentStart
	switch {
	case err != nil:
		return Result{eventName(c, event), false, fmt.Sprintf("the hook failed: %v %s", err, strings.TrimSpace(stderr.String())), "lessons init"}
	case wants && out.Len() == 0:
		return Result{eventName(c, event), false, "the hook ran and printed nothing", "is lessons on the agent's PATH, and LESSONS_DISABLE unset?"}
	default:
		return Result{Name: eventName(c, event), OK: true, Text: fmt.Sprintf("answers in %v, with a shell around it", took)}
	}
}

func (p *Project) diagnoseScan() Result {
	last := p.LastScan()
	if last.IsZero() {
		return Result{"last scan", false, "never", "lessons scan"}
	}
	days := int(p.Now().Sub(last).Hours() / 24)
	if p.Now().Sub(last) > 7*24*time.Hour {
		return Result{"last scan", false, fmt.Sprintf("%d days ago", days), "lessons scan; if you work here daily, the hooks do not fire"}
	}
	return Result{Name: "last scan", OK: true, Text: last.Local().Format("2006-01-02 15:04")}
}

func (p *Project) diagnoseIgnored(ctx context.Context) Result {
	if hidden := p.Hidden(ctx); len(hidden) > 0 {
		return Result{"ignore rules", false, strings.Join(hidden, " and ") + " is ignored: knowledge never reaches a commit", "lessons doctor --fix mends it; git check-ignore -v names the rule"}
	}
	return Result{Name: "ignore rules", OK: true, Text: "git sees the knowledge folders"}
}

// diagnoseTrust says what others wrote that nobody here reviewed.
func (p *Project) diagnoseTrust(ctx context.Context, s *store.Snapshot) Result {
	if waits := p.TrustState(ctx, s).String(); waits != "" {
		return Result{"trust", false, waits + " of others only inform, marked as unreviewed", "lessons trust"}
	}
	return Result{Name: "trust", OK: true, Text: "nothing waits for it"}
}

func diagnoseFiles(s *store.Snapshot) Result {
	if len(s.Problems) > 0 {
		return Result{"files", false, fmt.Sprintf("%s cannot be read in full", prose.Counted(len(s.Problems), "place")), "lessons check names each; lessons clear --invalid drops unreadable log lines"}
	}
	return Result{Name: "files", OK: true, Text: "all can be read"}
}

// diagnoseArtifacts lists what reconcile leaves to a person.
func (p *Project) diagnoseArtifacts(ctx context.Context, s *store.Snapshot) []Result {
	report, err := p.askGit(ctx, s, true)
	if err != nil {
		return []Result{{"rendered files", false, err.Error(), "lessons reconcile"}}
	}
	var results []Result
	for _, item := range report.Items {
		if item.Answer == reconcile.Lost {
			results = append(results, Result{"rendered files", false, item.Path + ": " + item.Reason, "lessons render writes it again"})
		}
		if item.Answer == reconcile.Ambiguous || item.Answer == reconcile.Pending {
			results = append(results, Result{"rendered files", false, item.Path + ": " + item.Reason, "restore it, or commit its removal"})
		}
	}
	if len(results) == 0 {
		results = append(results, Result{Name: "rendered files", OK: true, Text: report.Summary()})
	}
	return results
}
