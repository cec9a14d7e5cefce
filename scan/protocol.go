package scan

// ProtocolVersion is the version of the reporting protocol that [Protocol]
// teaches. It stands in the text, so that a transcript says which one its agent
// was given.
const ProtocolVersion = 2

// Protocol tells an agent how to report what it learned, and how to cite what is known: at
// most 260 tokens, sent at startup, clear, compaction and sub-agent start. Its examples
// hold placeholders only, and [ParseTags] takes no block with placeholders, so an agent
// that repeats the text teaches nothing.
const Protocol = `## Lesson protocol v2
After you recover from a mistake, find a root cause, or are corrected or told a rule, put one block in your reply, not fenced, one line per field:

#lesson
tool: <tool>
trigger: <command or path that led to it>
mistake: <what went wrong, and why>
fix: <what works instead>
tags: <category:value, …>
#/lesson

When the user settles a question:

#decision
decision: <what holds from now on>
because: <the reason given>
about: <command, path or topic>
#/decision

Report only what matters in later sessions; asked about anything else, write #lesson:none. Take a lesson back with #lesson:cancel, a line "mistake: <its first words>", #/lesson:cancel.
Say which known entries you follow: applies ADR-NNN, avoids PF-NNN.
`
