package knowledge

// Trigger says when a lesson applies (DESIGN section 2.3). Slots that are empty
// are not declared. Within a slot any element may match; all declared hard
// slots (tools, commands, command patterns, paths, content, agents) must match.
type Trigger struct {
	Tools           []string `json:"tools,omitempty"`
	Commands        []string `json:"commands,omitempty"`        // program, sub-command, flags
	Unless          []string `json:"unless,omitempty"`          // flags, NAME=value or patterns that silence it
	CommandPatterns []string `json:"commandPatterns,omitempty"` // RE2
	Paths           []string `json:"paths,omitempty"`           // doublestar globs, repository-relative
	Content         []string `json:"content,omitempty"`         // RE2 against what is written
	Keywords        []string `json:"keywords,omitempty"`        // action keywords, whole words
	Context         []string `json:"context,omitempty"`         // context keywords
	Agents          []string `json:"agents,omitempty"`          // sub-agent types
}
