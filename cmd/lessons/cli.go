package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/lessons-cli/lessons/internal/project"
)

// grammar is the command line: one field a command, one file a command.
type grammar struct {
	Dir string `short:"C" name:"dir" placeholder:"DIR" help:"Work as if started in DIR."`

	Init     initCommand     `cmd:"" group:"everyday" help:"Set up this repository: folders, hooks, ignore rules."`
	Status   statusCommand   `cmd:"" group:"everyday" help:"Show where things stand."`
	List     listCommand     `cmd:"" group:"everyday" help:"List lessons, entries, skills, commands, or observations."`
	Problems problemsCommand `cmd:"" group:"everyday" help:"List what fails again and again, what it costs, and what mends it."`
	Show     showCommand     `cmd:"" group:"everyday" help:"Show one item with everything known about it."`
	Search   searchCommand   `cmd:"" group:"everyday" help:"Search knowledge, lessons and observations, best match first."`
	Add      addCommand      `cmd:"" group:"everyday" help:"Write down a lesson by hand."`
	Edit     editCommand     `cmd:"" group:"everyday" help:"Open an item in your editor and check it afterwards."`
	Promote  promoteCommand  `cmd:"" group:"everyday" help:"Accept a draft lesson, or an observation before its time."`
	Archive  archiveCommand  `cmd:"" group:"everyday" help:"Put a lesson away without a penalty."`
	Review   reviewCommand   `cmd:"" group:"everyday" help:"Walk through what waits for a person."`
	Report   reportCommand   `cmd:"" group:"everyday" help:"Write what agents learned here as one page."`
	Index    indexCommand    `cmd:"" group:"everyday" help:"Print the compact index of decisions and pitfalls."`

	Scan      scanCommand      `cmd:"" group:"automation" help:"Read session transcripts and gather observations."`
	Render    renderCommand    `cmd:"" group:"automation" help:"Write what is ready as Markdown."`
	Reconcile reconcileCommand `cmd:"" group:"automation" help:"Ask git what people did to the rendered files."`
	Compile   compileCommand   `cmd:"" group:"automation" help:"Make the index of lessons that hooks read."`
	Flow      flowCommand      `cmd:"" group:"automation" help:"Say what comes next in a list of features, and check hand-offs between agents."`
	Learn     learnCommand     `cmd:"" group:"automation" help:"Have a model phrase what was found; switch the hooks on or off."`
	Outcome   outcomeCommand   `cmd:"" group:"automation" help:"List and count how tool calls ended."`
	Stats     statsCommand     `cmd:"" group:"team" help:"Say what lessons did: heeded, ignored, contradicted."`
	Feedback  feedbackCommand  `cmd:"" group:"team" help:"Say whether a lesson helps."`
	Replay    replayCommand    `cmd:"" group:"automation" help:"Judge lessons by recorded sessions."`
	Hook      hookCommand      `cmd:"" group:"automation" help:"Answer a coding agent's hook (the agent calls this)."`

	Check       checkCommand       `cmd:"" group:"team" help:"Find what is broken: the gate for pull requests."`
	Audit       auditCommand       `cmd:"" group:"team" help:"Hold what agents are told (AGENTS.md, rules, lessons) against the repository."`
	Blame       blameCommand       `cmd:"" group:"team" help:"Say where an item came from, and what became of it."`
	Trace       traceCommand       `cmd:"" group:"team" help:"Find what was corrected, violated, decided and approved, and what repeats."`
	Log         logCommand         `cmd:"" group:"team" help:"List what commits did to knowledge."`
	Diff        diffCommand        `cmd:"" group:"team" help:"Compare an item with what was rendered, or committed."`
	Layout      layoutCommand      `cmd:"" group:"team" help:"Keep entries in two books, or one file each."`
	Resolve     resolveCommand     `cmd:"" group:"team" help:"Repair knowledge after a merge: conflicts, doubled numbers, citations."`
	MergeDriver mergeDriverCommand `cmd:"" group:"team" help:"Merge a knowledge file by its entries (git calls this)."`
	Explain     explainCommand     `cmd:"" group:"team" help:"Say which lessons match a tool call, and why."`
	Try         tryCommand         `cmd:"" group:"team" help:"Say what a hook would answer to a tool call."`
	Import      importCommand      `cmd:"" group:"team" help:"Bring in what other tools wrote."`
	Export      exportCommand      `cmd:"" group:"team" help:"Write what is known for elsewhere: JSON, Markdown, records, skills."`
	Publish     publishCommand     `cmd:"" group:"team" help:"Write what is active to AGENTS.md and rules files, for agents without hooks."`
	Migrate     migrateCommand     `cmd:"" group:"team" help:"Bring this repository's files from an earlier state to today's."`
	Deprecate   deprecateCommand   `cmd:"" group:"team" help:"Retire an entry or an observation without a penalty."`
	Allow       allowCommand       `cmd:"" group:"team" help:"Let a session pass a guard: a person's word."`
	Guard       guardCommand       `cmd:"" group:"team" help:"List guards, hold them against the past, and propose some for what repeats."`
	Trust       trustCommand       `cmd:"" group:"team" help:"Let lessons of others act in this clone."`
	Clear       clearCommand       `cmd:"" group:"team" help:"Forget observations, or drop unreadable lines."`

	Serve      serveCommand      `cmd:"" group:"tools" help:"Show report and review in a browser on this machine."`
	MCP        mcpCommand        `cmd:"" name:"mcp" group:"tools" help:"Serve what is known to agents without hooks, over MCP."`
	Config     configCommand     `cmd:"" group:"tools" help:"Show or change settings."`
	Doctor     doctorCommand     `cmd:"" group:"tools" help:"Check the installation, and say what to do."`
	Uninstall  uninstallCommand  `cmd:"" group:"tools" help:"Take out exactly what init put in."`
	Completion completionCommand `cmd:"" group:"tools" help:"Print the completion script of a shell."`
	Statusline statuslineCommand `cmd:"" group:"tools" help:"Print what is known and what waits in one line."`
	Version    versionCommand    `cmd:"" group:"tools" help:"Print the version."`
	Help       helpCommand       `cmd:"" group:"tools" help:"Show help for a command, or all commands."`
}

// run is the whole program: arguments in, exit status out.
func run(args []string, sys *system) int {
	if len(args) > 0 && args[0] == "hook" && !wantsHelp(args) {
		return runHook(args[1:], sys) // before the grammar is built: a hook has no time for it
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // who asks again does not wait for what goes on
	return runUntil(ctx, args, sys)
}

// runUntil runs a command until it ends or ctx does.
func runUntil(ctx context.Context, args []string, sys *system) int {
	inv := &invocation{sys: sys}
	defer inv.close()
	err := inv.run(ctx, args)
	if err != nil && ctx.Err() != nil {
		err = errInterrupted
	}
	report(sys.stderr, err, wantsJSON(args))
	return status(err)
}

// run finds the command and runs it. Two are found without the grammar, which
// takes longer to build than they take.
func (inv *invocation) run(ctx context.Context, args []string) error {
	if len(args) == 1 && args[0] == "index" { // agents wait for it, as for a hook
		p, err := inv.project(ctx)
		if err != nil {
			return err
		}
		return (&indexCommand{}).Run(ctx, inv, p)
	}
	if len(args) > 1 && args[0] == "complete" { // completion scripts ask
		return inv.complete(ctx, args[1:])
	}
	if len(args) == 1 && args[0] == "--version" {
		return (&versionCommand{}).Run(inv)
	}
	if scan, ok := plainScan(args); ok { // hooks start it at every turn
		return scan.Run(ctx, inv)
	}
	return inv.execute(ctx, args)
}

func wantsHelp(args []string) bool {
	return slices.Contains(args, "--help") || slices.Contains(args, "-h")
}

func wantsJSON(args []string) bool { return slices.Contains(args, "--json") }

// jsonOutput is embedded by every command that prints facts.
type jsonOutput struct {
	JSON bool `help:"Print one JSON object (a line each for streams)."`
}

func (inv *invocation) execute(ctx context.Context, args []string) error {
	var g grammar
	done := false
	parser, err := newParser(&g, inv.sys, &done)
	if err != nil {
		return err
	}
	inv.parser = parser
	if len(args) == 0 {
		return (&helpCommand{}).Run(inv)
	}
	command, err := parser.Parse(dashValues(parser.Model, args))
	if done {
		return nil // help was printed
	}
	if err != nil {
		if _, cmd := commandIn(parser.Model, args); cmd != nil {
			return usageError{withHint(err, "see: lessons help %s", cmd.Name)}
		}
		return usageError{withHint(err, "all commands: lessons help --all")}
	}
	if g.Dir != "" {
		inv.sys = inv.sys.in(g.Dir)
	}
	command.BindTo(ctx, (*context.Context)(nil))
	for _, provide := range []any{inv.project, inv.snapshot} { // for the commands that ask for them
		if err := command.BindSingletonProvider(provide); err != nil {
			return err
		}
	}
	if !wantsJSON(args) {
		defer inv.page(command.Selected().Name)()
	}
	return command.Run(inv)
}

func newParser(g *grammar, sys *system, done *bool) (*kong.Kong, error) {
	parser, err := kong.New(g,
		kong.Name("lessons"),
		kong.Description("Knowledge that coding agents and people share through git."),
		kong.Writers(sys.stdout.Writer(), sys.stderr.Writer()),
		kong.Exit(func(int) { *done = true }),
		kong.ExplicitGroups(groups),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	)
	if err != nil {
		return nil, fmt.Errorf("command grammar: %w", err)
	}
	describe(parser.Model)
	return parser, nil
}

// commandIn is the first argument that names a command, and that command.
func commandIn(app *kong.Application, args []string) (at int, cmd *kong.Node) {
	for i, arg := range args {
		for _, cmd := range app.Children {
			if cmd.Name == arg {
				return i, cmd
			}
		}
	}
	return 0, nil
}

// invocation is one call of the program. A command's Run takes it, and of context,
// project and snapshot what the command needs.
type invocation struct {
	sys    *system
	parser *kong.Kong
	opened *project.Project // to be closed at the end; nil: none was needed

	answers *bufio.Reader // standard input, from the first question on
}
