package knowledge

import "embed"

//go:embed schema/*.json
var schemas embed.FS

// SchemaNames lists the JSON Schemas that are shipped.
func SchemaNames() []string { return []string{"config", "export", "lesson", "manifest", "observation"} }

// Schema returns the JSON Schema (draft 2020-12) of that name: config for
// .lessons/config.json, export for what lessons export writes, lesson for the
// front matter of a lesson, manifest for the manifest in layout book,
// observation for one line of the log. It returns nil for other names.
func Schema(name string) []byte {
	data, err := schemas.ReadFile("schema/" + name + ".json")
	if err != nil {
		return nil
	}
	return data
}
