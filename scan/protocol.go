package scan

// ProtocolVersion is the version of the reporting protocol that [Protocol]
// teaches. It stands in the text, so that a transcript says which one its agent
// was given.
const ProtocolVersion = 1

// Protocol tells an agent how to report a lesson (rulings 38: at most 200
// tokens, sent at startup, clear, compaction and sub-agent start). Its example
// holds placeholders only, and [ParseTags] takes no block with placeholders, so
// an agent that repeats the text teaches nothing.
const Protocol = `## Lesson protocol v1
After you recover from a mistake, find a root cause, or are corrected by the user, put one block into your reply, each field on one line:

#lesson
tool: <tool that was used>
trigger: <command or path that led to it>
mistake: <what went wrong, and why>
fix: <what works instead>
tags: <category:value, category:value>
#/lesson

Report real mistakes with a fix that worked. Do not force lessons or tags where none apply. Take one back with #lesson:cancel, a line "mistake: <its first words>", #/lesson:cancel.
`
