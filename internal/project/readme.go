package project

// readme explains the folder to a reviewer who has never heard of lessons.
const readme = `# What is this folder?

Lessons that coding agents and people learned while working on this repository.
They were written by [lessons](https://github.com/lessons-cli/lessons), which
reads agent sessions, keeps what went wrong and what was decided as Markdown, and
puts it before the agent at the start of the next session.

- ` + "`*.md`" + ` beside this file: one lesson each, with the trigger that calls for it. Where a lesson has
  examples, the trigger is held against them: ` + "`lessons check`" + ` tells when it no longer fits.
- ` + "`skills/`" + ` and ` + "`../.claude/commands/self-learning/`" + `, once there are any: procedures that
  repeated often enough to be written down.
- ` + "`config.json`" + `: settings of this repository.
- ` + "`../.memory/knowledge/`" + `: decisions (ADR) and pitfalls (PF).

Review these files like code. They are yours:

- **Edit** a lesson, and the tool never overwrites your text.
- **Delete** one, and it stays deleted: the tool takes it as a verdict.
- Keep the line that says ` + "`self-learning:…`" + `: it tells the tool where the text came from.

` + "`lessons list`" + ` shows everything, ` + "`lessons show ID`" + ` says why it is here,
and ` + "`lessons help`" + ` the rest.
`
