package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// everywhere are the flags of every command.
type everywhere struct {
	Dir string `short:"C" name:"dir" placeholder:"DIR" help:"Work as if started in DIR."`
}

// grammar is the command line: one field a command, one file a command.
type grammar struct {
	everywhere

	Init     initCommand     `cmd:"" group:"everyday" help:"Set up this repository: folders, hooks, ignore rules."`
	Status   statusCommand   `cmd:"" group:"everyday" help:"Show an overview, and what to do next."`
	List     listCommand     `cmd:"" group:"everyday" help:"List lessons, entries, skills, commands, or observations."`
	Problems problemsCommand `cmd:"" group:"everyday" help:"List what keeps failing, what it costs, and what fixes it."`
	Show     showCommand     `cmd:"" group:"everyday" help:"Show everything about one item."`
	Search   searchCommand   `cmd:"" group:"everyday" help:"Search knowledge, lessons and observations, best match first."`
	Add      addCommand      `cmd:"" group:"everyday" help:"Write down a lesson by hand."`
	Try      tryCommand      `cmd:"" group:"everyday" help:"Show what a hook would answer to a tool call."`
	Edit     editCommand     `cmd:"" group:"everyday" help:"Open an item in your editor and check it afterwards."`
	Promote  promoteCommand  `cmd:"" group:"everyday" help:"Accept a draft, a proposal or an observation."`
	Archive  archiveCommand  `cmd:"" group:"everyday" help:"Stop showing a lesson to agents."`
	Review   reviewCommand   `cmd:"" group:"everyday" help:"Go through what waits for your decision."`
	Report   reportCommand   `cmd:"" group:"everyday" help:"Write one page about what agents learned here."`

	Scan      scanCommand      `cmd:"" group:"automation" help:"Read session transcripts and gather observations."`
	Render    renderCommand    `cmd:"" group:"automation" help:"Write what is ready as Markdown."`
	Reconcile reconcileCommand `cmd:"" group:"automation" help:"Find out from git what people did to the rendered files."`
	Index     indexCommand     `cmd:"" group:"automation" help:"Print the compact index of decisions and pitfalls."`
	Compile   compileCommand   `cmd:"" group:"automation" help:"Make the index of lessons that hooks read."`
	Flow      flowCommand      `cmd:"" group:"automation" help:"Lead agents through a list of features, and check hand-offs."`
	Learn     learnCommand     `cmd:"" group:"automation" help:"Ask a model to phrase what was found; turn the hooks on or off."`
	Outcome   outcomeCommand   `cmd:"" group:"automation" help:"List and count how tool calls ended."`
	Stats     statsCommand     `cmd:"" group:"team" help:"Show how lessons performed: heeded, ignored, contradicted."`
	Feedback  feedbackCommand  `cmd:"" group:"team" help:"Rate a lesson as helpful or not."`
	Replay    replayCommand    `cmd:"" group:"automation" help:"Measure lessons by replaying recorded sessions."`
	Hook      hookCommand      `cmd:"" group:"automation" help:"Answer a coding agent's hook (the agent calls this)."`

	Check       checkCommand       `cmd:"" group:"team" help:"Check that nothing is broken, for example in a pull request."`
	Audit       auditCommand       `cmd:"" group:"team" help:"Check AGENTS.md, rules and lessons against the repository."`
	Blame       blameCommand       `cmd:"" group:"team" help:"Show where an item came from, and who changed it."`
	Trace       traceCommand       `cmd:"" group:"team" help:"Find corrections, violations, decisions and approvals."`
	Log         logCommand         `cmd:"" group:"team" help:"List the commits that changed knowledge."`
	Diff        diffCommand        `cmd:"" group:"team" help:"Compare an item with its rendered or committed text."`
	Layout      layoutCommand      `cmd:"" group:"team" help:"Store entries in two books, or in one file each."`
	Resolve     resolveCommand     `cmd:"" group:"team" help:"Repair knowledge after a merge: conflicts, duplicate numbers, citations."`
	MergeDriver mergeDriverCommand `cmd:"" name:"merge-driver" group:"team" help:"Merge a knowledge file by its entries (git calls this)."`
	Explain     explainCommand     `cmd:"" group:"team" help:"Show which lessons match a tool call, and why."`
	Import      importCommand      `cmd:"" group:"team" help:"Import what other tools wrote."`
	Export      exportCommand      `cmd:"" group:"team" help:"Export what is known as JSON, Markdown, decision records or skills."`
	Publish     publishCommand     `cmd:"" group:"team" help:"Write important lessons to AGENTS.md and rules files, for agents without hooks."`
	Migrate     migrateCommand     `cmd:"" group:"team" help:"Update this repository's files from an earlier version."`
	Deprecate   deprecateCommand   `cmd:"" group:"team" help:"Retire an entry or an observation."`
	Allow       allowCommand       `cmd:"" group:"team" help:"Let a session pass a guard. Only a person can do this."`
	Guard       guardCommand       `cmd:"" group:"team" help:"List guards, test them against past calls, and propose new ones."`
	Trust       trustCommand       `cmd:"" group:"team" help:"Trust other people's lessons in this clone."`
	Clear       clearCommand       `cmd:"" group:"team" help:"Delete observations, or only unreadable lines."`

	Serve      serveCommand      `cmd:"" group:"tools" help:"Show the report and the review in a browser on this machine."`
	MCP        mcpCommand        `cmd:"" name:"mcp" group:"tools" help:"Answer agents without hooks, over MCP."`
	Config     configCommand     `cmd:"" group:"tools" help:"Show or change settings."`
	Doctor     doctorCommand     `cmd:"" group:"tools" help:"Check the installation, and say how to repair it."`
	Uninstall  uninstallCommand  `cmd:"" group:"tools" help:"Take out what init added."`
	Completion completionCommand `cmd:"" group:"tools" help:"Print the completion script of a shell."`
	Statusline statuslineCommand `cmd:"" group:"tools" help:"Print one line about what is active and what waits."`
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
	flags, command := inv.parseAlone(args)
	if command == nil {
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
		command, err = parser.Parse(dashValues(parser.Model, args))
		if done {
			return nil // help was printed
		}
		if err != nil {
			err = worded(err)
			if _, cmd := commandIn(parser.Model, args); cmd != nil {
				return usageError{withHint(err, "see: lessons help %s", cmd.Name)}
			}
			return usageError{withHint(err, "all commands: lessons help --all")}
		}
		flags = g.everywhere
	}
	if flags.Dir != "" {
		inv.sys = inv.sys.in(flags.Dir)
	}
	command.BindTo(ctx, (*context.Context)(nil))
	for _, provide := range []any{inv.project, inv.snapshot, inv.outcomes} { // for the commands that ask for them
		if err := command.BindSingletonProvider(provide); err != nil {
			return err
		}
	}
	if !wantsJSON(args) {
		defer inv.page(command.Selected().Name)()
	}
	return command.Run(inv)
}

// parseAlone parses a line that begins with a command's name by the grammar of that
// command alone: to build it for all takes longer than most commands run. What is
// wrong, and what asks for help, it leaves to the whole grammar.
func (inv *invocation) parseAlone(args []string) (flags everywhere, command *kong.Context) {
	if len(args) == 0 || args[0] == "help" || wantsHelp(args) {
		return flags, nil
	}
	field, ok := commandField(args[0])
	if !ok {
		return flags, nil
	}
	alone := kong.DynamicCommand(args[0], field.Tag.Get("help"), field.Tag.Get("group"), reflect.New(field.Type).Interface())
	parser, err := newParser(&flags, inv.sys, new(bool), alone)
	if err != nil {
		return flags, nil
	}
	command, err = parser.Parse(dashValues(parser.Model, args))
	if err != nil {
		return flags, nil
	}
	return flags, command
}

// commandField is the grammar's field of a command.
func commandField(name string) (reflect.StructField, bool) {
	commands := reflect.TypeFor[grammar]()
	for i := range commands.NumField() {
		field := commands.Field(i)
		if _, ok := field.Tag.Lookup("cmd"); ok && name == cmp.Or(field.Tag.Get("name"), strings.ToLower(field.Name)) {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

// newParser is the parser of a grammar and of what options add to it.
func newParser(grammar any, sys *system, done *bool, more ...kong.Option) (*kong.Kong, error) {
	parser, err := kong.New(grammar, append([]kong.Option{
		kong.Name("lessons"),
		kong.Description("Knowledge that coding agents and people share through git."),
		kong.Writers(sys.stdout.Writer(), sys.stderr.Writer()),
		kong.Exit(func(int) { *done = true }),
		kong.ExplicitGroups(groups),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	}, more...)...)
	if err != nil {
		return nil, fmt.Errorf("command grammar: %w", err)
	}
	parser.Model.HelpFlag.Help = "Show this help."
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
	sys     *system
	parser  *kong.Kong // of the whole grammar, which help needs
	closing []func()   // what was opened, to be closed at the end

	answers *bufio.Reader // standard input, from the first question on
}
