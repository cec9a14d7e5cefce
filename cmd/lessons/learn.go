package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/learn"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/config"
)

type learnCommand struct {
	jsonOutput
	Switch string `arg:"" optional:"" enum:"on,off,status," default:"" help:"Hooks: on, off, or status. Without it: the model step."`
	Agent  string `help:"Whose hooks to switch on (default: claude); whose program to ask (default: one that is installed)." placeholder:"A"`
	Local  bool   `help:"Hooks in your own settings file (settings.local.json)."`
	Now    bool   `help:"Do not wait until enough sessions have come together."`
	consent
	DryRun bool `help:"Print the prompt for the model, and ask no model."`
}

// Run puts the hooks in or takes them out, or has a model asked.
func (c *learnCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	if c.Switch != "" {
		return c.hooks(inv, p)
	}
	if inv.sys.env(agent.Learning) != "" {
		return fmt.Errorf("%s is set: this is the model step already", agent.Learning)
	}
	inv.warn(p.SettingsProblems)
	if len(p.SettingsProblems) > 0 { // one that is not read could name another program
		return errOwnSettings
	}
	plan, err := p.PlanLearning(c.Now)
	if err != nil {
		return err
	}
	inv.warn(plan.Problems)
	if c.DryRun {
		return c.show(inv, plan)
	}
	return c.step(ctx, inv, p, plan)
}

var errOwnSettings = errors.New("your own settings have faults: nothing was asked")

// step has the model asked about what waits, when the person agrees.
func (c *learnCommand) step(ctx context.Context, inv *invocation, p *project.Project, plan *project.Learning) error {
	facts := learningFacts{Cost: plan.Cost, Waiting: plan.Plan.Waiting, Later: plan.Plan.Later, Left: plan.Left, Results: []learn.Verdict{}}
	if len(plan.Today) == 0 {
		return c.finish(inv, plan, facts)
	}
	program, model, err := c.program(p, plan.Config)
	if err != nil {
		return err
	}
	facts.Command = program.Line()
	if !c.JSON {
		inv.printf("%s", estimate(plan, facts.Command))
	}
	if c.JSON && !c.Yes {
		if err := inv.printJSON(facts); err != nil {
			return err
		}
	}
	if err := c.agree(ctx, inv, "Ask the model?"); err != nil {
		return err
	}
	unlock, err := p.LockLearning()
	if err != nil {
		return withHint(err, "wait until it ends; nothing was asked")
	}
	defer unlock()
	agreed := len(plan.Today)
	if plan, err = p.PlanLearning(c.Now); err != nil { // another one may have ended meanwhile
		return err
	}
	plan.Today = plan.Today[:min(agreed, len(plan.Today))]
	run := plan.Run(program, model, func(r learn.Report) { c.tell(inv, len(plan.Today), r) })
	verdicts, err := run.Do(ctx)
	facts.Ran, facts.Results = true, append(facts.Results, verdicts...)
	if len(verdicts) > 0 || err == nil {
		if err := c.finish(inv, plan, facts); err != nil {
			return err
		}
	}
	return learningError(err)
}

// learningError says what to do about a run that broke off. What was joined
// before stays.
func learningError(err error) error {
	if _, failed := errors.AsType[*learn.FailedError](err); failed {
		return withHint(err, "nothing of this batch was taken; run lessons learn again, or set learnCommand in your own settings")
	}
	return err
}

// learningFacts is what --json prints.
type learningFacts struct {
	Command string          `json:"command,omitempty"`
	Cost    learn.Cost      `json:"estimate"`
	Waiting int             `json:"waiting"` // observations that wait for more sessions
	Later   int             `json:"later"`   // observations that wait for another day
	Left    int             `json:"runs_left"`
	Ran     bool            `json:"ran"`
	Results []learn.Verdict `json:"results"`
}

// finish says what came of it, and what waits.
func (c *learnCommand) finish(inv *invocation, plan *project.Learning, facts learningFacts) error {
	if c.JSON {
		return inv.printJSON(facts)
	}
	phrased := 0
	for _, v := range facts.Results {
		if v.Outcome == learn.Phrased {
			phrased++
			inv.printf("%-8s %s  %s\n", v.Outcome, v.Observation, v.Phrasing.Title)
		} else {
			inv.printf("%-8s %s  %s\n", v.Outcome, v.Observation, v.Reason)
		}
	}
	if phrased > 0 {
		inv.printf("\nlessons list --observations shows them, lessons render writes what is ready.\n")
	}
	if facts.Later > 0 {
		inv.printf("%s for another day: %d runs a day are the most (dailyCap in your own settings)\n", count(facts.Later, "observation waits", "observations wait"), plan.Most)
	}
	if n := plan.Plan.Contradicted; n > 0 {
		inv.printf("%s left alone: calls worked that it would stop\n", count(n, "observation is", "observations are"))
	}
	if w := plan.Plan; w.Waiting > 0 {
		inv.printf("%s of %s so far; with %s it is asked (settings batch and batchLarge). lessons learn --now does not wait\n",
			count(w.Waiting, "observation", "observations"), sessions(w.Sessions), sessions(w.Needed))
	} else if len(facts.Results) == 0 && facts.Later == 0 {
		inv.printf("nothing waits for a model: lessons scan finds what could\n")
	}
	return nil
}

func estimate(plan *project.Learning, command string) plain.Block {
	c := plan.Cost
	return plain.Sprintf("%s in %s (at most %d): about %s tokens in and %s out, and what the agent adds itself.\n%d of %d runs are left today. Each call runs:\n  %s\n",
		count(c.Episodes, "observation", "observations"), count(c.Calls, "call", "calls"), c.MostCalls, thousands(c.TokensIn), thousands(c.TokensOut), plan.Left, plan.Most, command)
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// tell shows on a terminal that something goes on.
func (c *learnCommand) tell(inv *invocation, of int, r learn.Report) {
	if inv.sys.terminal && r.Verdicts == nil {
		inv.sys.stderr.Printf("batch %d of %d: asking about %s\n", r.Batch, of, count(r.Episodes, "observation", "observations"))
	}
}

// show prints the prompts of a dry run.
func (c *learnCommand) show(inv *invocation, plan *project.Learning) error {
	if c.JSON {
		prompts := []string{}
		prompts = append(prompts, lists.Map(plan.Today, learn.Batch.Prompt)...)
		return inv.printJSON(map[string]any{"estimate": plan.Cost, "prompts": prompts})
	}
	if len(plan.Today) == 0 {
		inv.printf("no model would be asked now\n")
		return c.finish(inv, plan, learningFacts{Later: plan.Plan.Later})
	}
	for _, b := range plan.Today {
		inv.printf("%s\n", plain.Block(b.Prompt()))
	}
	return nil
}

// program is what answers, and the name of the model that is noted beside its
// words. Only a person's own settings and flags say what it is.
func (c *learnCommand) program(p *project.Project, cfg config.Config) (*project.Program, string, error) {
	temp, err := p.TempOutside()
	if err != nil {
		return nil, "", err
	}
	program := &project.Program{
		Time: time.Duration(cfg.LearnTimeout) * time.Second, Temp: temp,
		Environ: os.Environ(), Redactor: p.Redactor(), FS: p.FS,
	}
	settings := p.SettingsPath()
	if own := cfg.LearnCommand; len(own) > 0 && c.Agent == "" {
		if _, err := exec.LookPath(own[0]); err != nil || own[0] != filepath.Base(own[0]) && !filepath.IsAbs(own[0]) {
			return nil, "", withHint(fmt.Errorf("%s: learnCommand: %q is no program on PATH and no full path of one", settings, own[0]), "change it there, or take it out to ask an installed agent")
		}
		program.Program = own[0]
		program.Args = append(program.Args, lists.Map(own[1:], func(arg string) string { return strings.ReplaceAll(arg, "{model}", cfg.Model) })...)
		return program, filepath.Base(own[0]), nil
	}
	client, err := c.installed(p)
	if err != nil {
		return nil, "", withHint(err, "install one, or name a program as learnCommand in %s", settings)
	}
	model := cfg.Model
	if model == config.DefaultModel {
		model = "" // each agent's own
	}
	program.Headless, _ = client.Prompt(model)
	return program, strings.TrimRight(program.Program+" "+model, " "), nil
}

// installed is an agent that can be asked: the one that is named, else the first
// whose hooks are here, else the first at all.
func (c *learnCommand) installed(p *project.Project) (*agent.Client, error) {
	candidates := slices.Concat(p.InUse(agent.All), agent.All)
	if c.Agent != "" {
		client, err := clientNamed(c.Agent)
		if err != nil {
			return nil, err
		}
		candidates = []*agent.Client{client}
	}
	var names []string
	for _, client := range candidates {
		asked, ok := client.Prompt("")
		if !ok {
			continue
		}
		if _, err := exec.LookPath(asked.Program); err == nil {
			return client, nil
		}
		names = lists.With(names, asked.Program)
	}
	if len(names) == 0 {
		return nil, usageError{fmt.Errorf("%s cannot be asked from a program", c.Agent)}
	}
	return nil, fmt.Errorf("no agent that could be asked is on PATH: %s", strings.Join(names, ", "))
}

// hookState is where an agent's hooks are; nowhere means that they are off.
type hookState struct {
	Agent string   `json:"agent"`
	In    []string `json:"in"`
}

// hooks puts the hooks in or takes them out, and says where they are.
func (c *learnCommand) hooks(inv *invocation, p *project.Project) error {
	if err := c.turn(p); err != nil {
		return err
	}
	var states []hookState
	for _, client := range p.InUse(agent.All) {
		where, err := p.HooksIn(client)
		if err != nil {
			return err
		}
		states = append(states, hookState{client.Name, append(append([]string{}, where...), p.HooksElsewhere(client)...)})
	}
	if c.JSON {
		return printLines(inv, states)
	}
	for _, state := range states {
		if len(state.In) == 0 {
			inv.printf("%s: hooks are off (lessons learn on)\n", state.Agent)
			continue
		}
		inv.printf("%s: hooks are on, in %s\n", state.Agent, strings.Join(state.In, " and "))
	}
	return nil
}

// turn switches one agent's hooks on, or all agents' off.
func (c *learnCommand) turn(p *project.Project) error {
	switch c.Switch {
	case "on":
		client, err := clientNamed(cmp.Or(c.Agent, agent.All[0].Name))
		if err != nil {
			return err
		}
		return p.SwitchHooks(client, c.Local, true)
	case "off":
		for _, client := range agent.All {
			if err := p.SwitchHooks(client, false, false); err != nil {
				return err
			}
		}
	}
	return nil
}
