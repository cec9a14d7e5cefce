package redact

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
)

// context is a place where secrets stand in sessions. @N stands for the name
// in one of its spellings, @V for the value.
type context struct {
	name string
	text string
	wrap func(string) string // of the value, nil: as it is
}

func escapedJSON(v string) string {
	data, _ := json.Marshal(v)
	return string(data[1 : len(data)-1])
}

func twiceEscaped(v string) string { return escapedJSON(escapedJSON(v)) }

func slashEscaped(v string) string { return strings.ReplaceAll(v, "/", `\/`) }

// bare are places that name nothing: only what gives itself away is found there.
var bare = []context{
	{"prose", "I used @V for that, and it works", nil},
	{"prose in quotes", "the value is \"@V\", please keep it", nil},
	{"backquotes", "run it with `@V` and look", nil},
	{"alone", "@V", nil},
	{"on a line", "first\n@V\nlast", nil},
	{"log line", "2026-03-01T10:00:00Z ERROR [auth] rejected @V (attempt 2)", nil},
	{"argument", "tool login @V --quiet", nil},
	{"call in code", "client := api.New(\"@V\", nil)", nil},
	{"list in JSON", `{"args":["-x","@V"]}`, nil},
	{"JSON in JSON", `"{\"args\":[\"@V\"]}"`, escapedJSON},
	{"URL path", "GET https://api.example.org/v1/@V/items 403", nil},
	{"URL query", "https://api.example.org/x?a=1&k=@V&b=2", url.QueryEscape},
	{"percent-encoded form", "a%3D1%26k%3DV%26b%3D2", url.QueryEscape},
	{"user of a URL", "git clone https://@V@git.example.org/a/b.git", nil},
	{"password of a URL", "git clone https://oauth2:@V@git.example.org/a/b.git", nil},
	{"parentheses", "error (@V) while signing in", nil},
	{"CSV", "7,alice,@V,active", nil},
	{"bearer", "Authorization: Bearer @V", nil},
	{"table", "| prod | @V | yes |", nil},
	{"diff", "@@ -1 +1 @@\n-@V\n+", nil},
	{"line escapes", `first\n@V\nlast`, nil},
}

// after are places where a value follows its name.
var after = []context{
	{"environment of a command", "@N=@V make deploy", nil},
	{"export", "export @N=@V", nil},
	{"export in quotes", `export @N="@V"`, nil},
	{"dotenv", "A=1\n@N=@V\nB=2", nil},
	{"docker", "docker run -e @N=@V image", nil},
	{"Dockerfile", "FROM alpine\nENV @N @V\nRUN x", nil},
	{"PowerShell", `$env:@N = "@V"`, nil},
	{"fish", "set -gx @N @V", nil},
	{"cmd", "set @N=@V", nil},
	{"setx", `setx @N "@V"`, nil},
	{"ini", "[x]\n@N = @V\n", nil},
	{"TOML", `@N = "@V"`, nil},
	{"YAML", "app:\n  @N: @V\n", nil},
	{"YAML in quotes", "  @N: '@V'", nil},
	{"YAML block", "@N: |\n  @V\n", nil},
	{"YAML name and value", "env:\n  - name: @N\n    value: @V\n", nil},
	{"YAML name and quoted value", "  - name: @N\n    value: \"@V\"\n", nil},
	{"JSON", `{"a":1,"@N":"@V","b":2}`, escapedJSON},
	{"pretty JSON", "{\n  \"@N\": \"@V\"\n}", escapedJSON},
	{"JSON with slashes", `{"@N":"@V"}`, slashEscaped},
	{"JSON in JSON", `"{\"@N\":\"@V\"}"`, twiceEscaped},
	{"JSON in JSON in JSON", `{"a":"{\\\"@N\\\":\\\"@V\\\"}"}`, twiceEscaped},
	{"JSON name and value", `{"name":"@N","value":"@V"}`, escapedJSON},
	{"JSON key and value", `{"key": "@N", "value": "@V"}`, escapedJSON},
	{"XML element", "<@N>@V</@N>", nil},
	{"XML attributes", `<add key="@N" value="@V" />`, nil},
	{"XML attribute", `<server @N="@V"/>`, nil},
	{"properties", "a=b\n@N=@V\n", nil},
	{"Go", `@N := "@V"`, nil},
	{"Go with a type", `var @N string = "@V"`, nil},
	{"Go raw", "@N = `@V`", nil},
	{"Go struct", `Config{@N: "@V"}`, nil},
	{"Go printed", "{Host:db @N:@V Port:5432}", nil},
	{"Java", `private static final String @N = "@V";`, nil},
	{"TypeScript", `const @N: string = '@V';`, nil},
	{"JavaScript", `process.env.@N = '@V'`, nil},
	{"Python", `@N = '@V'`, nil},
	{"Python with a type", `@N: str = "@V"`, nil},
	{"Python bytes", `@N = b"@V"`, nil},
	{"Python keyword", `connect(host, @N="@V")`, nil},
	{"Python dict", `{'host': 'x', '@N': '@V'}`, nil},
	{"Python environment", `os.environ["@N"] = "@V"`, nil},
	{"Ruby", `:@N => "@V"`, nil},
	{"PHP", `'@N' => '@V',`, nil},
	{"Rust", `let @N: &str = "@V";`, nil},
	{"type that went", `let @N: = "@V";`, nil},
	{"R", `@N <- "@V"`, nil},
	{"default in code", `@N = os.getenv("X") or "@V"`, nil},
	{"comparison", `if @N == "@V" {`, nil},
	{"make", "@N ?= @V", nil},
	{"make with more colons", "@N ::= @V", nil},
	{"setenv", `os.Setenv("@N", "@V")`, nil},
	{"flag", "tool --@N @V --verbose", nil},
	{"flag with equals", "tool --@N=@V", nil},
	{"flag in quotes", `tool --@N "@V"`, nil},
	{"query", "https://api.example.org/x?a=1&@N=@V&b=2", url.QueryEscape},
	{"percent-encoded", "a%3D1%26N%3DV%26b%3D2", url.QueryEscape},
	{"form", "curl -d '@N=@V&grant=x' https://api.example.org", url.QueryEscape},
	{"header", "X-@N: @V", nil},
	{"header of curl", `curl -H "X-@N: @V" https://api.example.org`, nil},
	{"body of curl", `curl -d '{"@N":"@V"}' https://api.example.org`, escapedJSON},
	{"log line", "2026-03-01 INFO connecting host=db @N=@V retries=3", nil},
	{"log line with a colon", "DEBUG config loaded, @N: @V, port: 80", nil},
	{"git config", "git config x.@N @V", nil},
	{"kubectl", "kubectl create secret generic x --from-literal=@N=@V", nil},
	{"vault", "vault kv put kv/x @N=@V", nil},
	{"heroku", "heroku config:set @N=@V --app x", nil},
	{"terraform", "  @N = \"@V\"\n  b = 1\n", nil},
	{"terraform variable", "terraform apply -var '@N=@V'", nil},
	{"connection string", "Server=db;@N=@V;Encrypt=true", nil},
	{"is", "my @N is @V, use that", nil},
	{"was", "the @N was @V", nil},
	{"short option", "tool -@N @V -v", nil},
	{"colon in prose", "Here you go: @N: @V", nil},
}

// spell writes the words of a name as code and configuration do.
func spell(r *rand.Rand, words string) string {
	w := strings.Fields(strings.ToLower(words))
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	switch r.IntN(6) {
	case 0, 1:
		return strings.ToUpper(strings.Join(w, "_"))
	case 2:
		return strings.Join(w, "_")
	case 3:
		return strings.Join(w, "-")
	case 4:
		for i := range w {
			w[i] = title(w[i])
		}
		return strings.Join(w, "")
	default:
		for i := range w[1:] {
			w[i+1] = title(w[i+1])
		}
		return strings.Join(w, "")
	}
}

// in puts a secret into a place. What comes back besides is how the secret is
// written there.
func (c context) in(name, value string) (text, written string) {
	if c.wrap != nil {
		value = c.wrap(value)
	}
	return strings.NewReplacer("@N", name, "@V", value).Replace(c.text), value
}

// survives returns a piece of the secret that is still in the text: all of a
// short one, else any 12 bytes.
func survives(text, secret string) string {
	const piece = 12
	if len(secret) <= piece {
		if strings.Contains(text, secret) {
			return secret
		}
		return ""
	}
	for i := 0; i+piece <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+piece]) {
			return secret[i : i+piece]
		}
	}
	return ""
}

// sample is a secret in a place.
type sample struct {
	family  family
	context string
	text    string
	secret  string // as it is written there
}

func (s sample) String() string {
	return fmt.Sprintf("%s, %s: %q", s.family.name, s.context, s.text)
}

// samples draws n texts for each family.
func samples(r *rand.Rand, n int) []sample {
	var all []sample
	add := func(f family, c context, n string) {
		text, secret := c.in(n, draw(r, f.form))
		all = append(all, sample{f, c.name, text, secret})
	}
	for _, f := range fixed() {
		for range n {
			add(f, pick(r, bare), "")
			add(f, pick(r, after), spell(r, f.names+pick(r, []string{"", " value", " token", " key"})))
		}
	}
	for _, f := range named() {
		for range n {
			add(f, pick(r, after), spell(r, f.names))
		}
	}
	return all
}
