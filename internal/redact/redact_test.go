package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Secrets in tests are put together here, so that no file holds one.
const (
	body16 = "Q7ZK2MWV" + "X4TRB6NY"
	body24 = "aB3dE6gH9" + "jK2mN5pQ8sT1vW4"
	body36 = "aB3dE6gH9jK2mN5pQ8" + "sT1vW4yZ7bC0eF3hJ6"
	hex32  = "9f86d081884c7d65" + "9a2feaa0c55ad015"
	hex40  = hex32 + "a3bf4f1b"
)

var you = &Redactor{Home: "/home/quentin", User: "quentin"}

// secrets are texts with the part that must go.
var secrets = []struct{ name, text, secret string }{
	{"AWS id", "key AKIA" + body16 + " used", "AKIA" + body16},
	{"AWS temporary id", "ASIA" + body16, "ASIA" + body16},
	{"AWS secret", "aws_secret_access_key = wJalr/" + body24 + "+bPxRfiCY", body24},
	{"AWS secret in the environment", "AWS_SECRET_ACCESS_KEY=" + body36 + "abcd go test", body36},
	{"GitHub classic", "remote: ghp_" + body36, "ghp_" + body36},
	{"GitHub app", "ghs_" + body36, "ghs_" + body36},
	{"GitHub fine-grained", "github_pat_" + body24[:22] + "_" + body36 + body24[:23], body36},
	{"GitLab", "glpat-" + body24[:20], body24[:20]},
	{"GitLab runner", "glrt-" + body24[:20], body24[:20]},
	{"Slack bot", "xoxb-" + "123456789012-123456789012-" + body24, body24},
	{"Slack app", "xapp-" + "1-A0B1C2-1234-" + hex32, hex32},
	{"Slack hook", "https://hooks.slack.com/services/" + "T00AB1CD2/B00XY3Z45/" + body24, body24},
	{"Stripe", "sk_live_" + body24, body24},
	{"Stripe restricted", "rk_test_" + body24, body24},
	{"Google", "AIza" + "Sy" + body36[:33], body36[:33]},
	{"Google token", "ya29." + body36, body36},
	{"OpenAI old", "sk-" + body36 + body24[:12], body36},
	{"OpenAI project", "sk-proj-" + body36, body36},
	{"Anthropic", "sk-ant-" + "api03-" + body36 + "-" + body36 + "AA", body36},
	{"npm", "npm_" + body36, body36},
	{"npm in a file", "//registry.npmjs.org/:_authToken=" + hex32[:8] + "-1234-4abc-9def-" + hex32[:12], hex32[:8]},
	{"PyPI", "pypi-" + "AgEIcHlwaS5vcmc" + body36, body36},
	{"Hugging Face", "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH", "hf_aBcDeF"},
	{"SendGrid", "SG." + body24[:22] + "." + body36 + "abcdefg", body36},
	{"Vault", "hvs." + body36, body36},
	{"Azure", "AZURE_CLIENT_SECRET=" + "aB3" + "8Q~" + body36[:34], body36[:34]},
	{"Azure storage", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + body36 + body36 + "abcd==;EndpointSuffix=core.windows.net", body36},
	{"signed address", "https://x.blob.core.windows.net/c?sv=2024&sig=" + body36 + "%3D&se=1", body36},
	{"Telegram", "bot" + "123456789:" + "AA" + body36[:33], body36[:33]},
	{"Age", "AGE-SECRET-KEY-1" + strings.Repeat("QPZRY9X8GF", 6)[:58], "QPZRY9X8GFQPZRY9"},
	{"bcrypt", "$2b$" + "12$" + body36 + body24[:17], body36},
	{"web token", "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + body36, body36},
	{"web token in a header", `curl -H "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.` + `eyJzdWIiOiIxMjM0In0.` + body36 + `"`, body36},
	{"bearer", "Authorization: Bearer " + body36, body36},
	{"basic", "authorization: Basic dXNlcjpwYXNz" + "d29yZDEyMw==", "dXNlcjpwYXNz"},
	{"header in code", `headers={"X-Api-Key": "` + hex32 + `"}`, hex32},
	{"cookie", "Cookie: session=" + hex32 + "; theme=dark", hex32},
	{"address", "git clone https://quentin:" + "s3cr3t-pa55" + "@example.org/x.git", "s3cr3t-pa55"},
	{"address with a token for a name", "https://" + body36 + "@github.com/a/b", body36},
	{"address with odd characters", "postgres://app:" + "p@ss/w0rd" + "@db.example.org:5432/x", "p@ss/w0rd"},
	{"address without a name", "redis://:" + "hunter2hunter" + "@localhost:6379", "hunter2hunter"},
	{"connection string", "Server=db;Database=x;User Id=sa;Password=" + "Pa55-w0rd!" + ";Encrypt=true", "Pa55-w0rd!"},
	{"environment", "export DB_PASSWORD=" + "correcthorse", "correcthorse"},
	{"environment with digits", "PGPASSWORD=" + "12345678" + " psql", "12345678"},
	{"YAML", "db:\n  password: " + "correcthorsebattery" + "\n", "correcthorsebattery"},
	{"YAML on the next line", "  password: |\n    " + "correct-horse-1" + "\n", "correct-horse-1"},
	{"ini on the next line", "password =\n    " + "hunter2" + "\n", "hunter2"},
	{"JSON", `{"password": "` + `let me in 99` + `", "user": "x"}`, "let me in 99"},
	{"JSON in JSON", `"{\"apiKey\":\"` + hex32 + `\"}"`, hex32},
	{"JSON with lines", `"A=1\nAPI_TOKEN=` + hex32 + `\nB=2"`, hex32},
	{"Go", `apiKey := "` + body24 + `"`, body24},
	{"Python", "client_secret='" + body24 + "'", body24},
	{"list", "SECRETS = '" + hex32 + "', '" + body36 + "'", body36},
	{"flag", "tool --token " + body36, body36},
	{"flag with equals", "tool --password=" + "swordfish9", "swordfish9"},
	{"curl user", "curl -u admin:" + "s3cr3tpw" + " https://x", "s3cr3tpw"},
	{"curl quoted user", "curl --user 'api:" + "d2LkV78zLx!t" + "' https://x", "d2LkV78zLx"},
	{"mysql", "mysql -uroot -p" + "s3cr3tpw" + " db", "s3cr3tpw"},
	{"sshpass", "sshpass -p " + "s3cr3tpw" + " ssh x", "s3cr3tpw"},
	{"piped", `echo "` + "s3cr3tpw" + `" | docker login -u x --password-stdin`, "s3cr3tpw"},
	{"SQL", "CREATE USER x WITH PASSWORD '" + "s3cr3tpw" + "'", "s3cr3tpw"},
	{"SQL of MySQL", "ALTER USER x IDENTIFIED BY '" + "swordfish" + "';", "swordfish"},
	{"openssl", "openssl rsa -in k -passin pass:" + "s3cr3tpw" + " -out x", "s3cr3tpw"},
	{"keytool", "keytool -list -storepass " + "s3cr3tpw", "s3cr3tpw"},
	{"sshpass in the environment", "SSHPASS=" + "s3cr3tpw" + " sshpass -e ssh x", "s3cr3tpw"},
	{"registries", `{"auths":{"ghcr.io":{"auth":"` + body24 + `"}}}`, body24},
	{"short name", `{"user":"x","pw":"` + "s3cr3tpw" + `"}`, "s3cr3tpw"},
	{"short variable", "DB_PW=" + "s3cr3tpw", "s3cr3tpw"},
	{"both halves", "aws: AKIA" + body16 + " " + body36 + "abcd", body36},
	{"manifest", "kind: Secret\ndata:\n  a: " + body24 + "\n", body24},
	{"manifest in JSON", `{"data":{"a":"` + body24 + `"},"kind":"Secret"}`, body24},
	{"wrapped key", "client-key-data: LS0tLS1CRUdJTi" + "BSU0EgUFJJVkFURSBLRVktLS0tLQ" + body36, body36},
	{"percent", "next=%2Fx%3Ftoken%3D" + hex32, hex32},
	{"HTML", "value=&quot;glpat-" + body24[:20] + "&quot;", body24[:20]},
	{"escaped characters", `"AccountKey=` + body36 + `\u002b` + body36 + `=="`, body36},
	{"netrc", "machine x login me password " + "swordfish", "swordfish"},
	{"sentence", "the API key is " + body36 + " for now", body36},
	{"webhook", "https://discord.com/api/webhooks/123456789012345678/" + body36, body36},
	{"private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE" + body36 + "\n" + body36 + "\n-----END RSA PRIVATE KEY-----\n", body36},
	{"private key in one line", `"-----BEGIN PRIVATE KEY-----\nMIIE` + body36 + `\n-----END PRIVATE KEY-----\n"`, body36},
	{"private key without an end", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn" + body36 + "\n" + body24, body24},
	{"private key without a beginning", "MIIE" + body36 + "\n" + body36 + "\n-----END PRIVATE KEY-----", body36},
	{"private key in a diff", "-----BEGIN EC PRIVATE KEY-----\n+MHcCAQEE" + body36 + "\n+-----END EC PRIVATE KEY-----", body36},
}

func TestSecretsAreRedacted(t *testing.T) {
	for _, tt := range secrets {
		t.Run(tt.name, func(t *testing.T) {
			got := you.Text(tt.text).String()
			if strings.Contains(got, tt.secret) || !strings.Contains(got, mark) {
				t.Errorf("%q gives %q", tt.text, got)
			}
			for _, around := range []string{"a " + tt.text + "\nb", "\t" + tt.text + ".", "x\n" + tt.text} {
				if got := you.Text(around).String(); strings.Contains(got, tt.secret) {
					t.Errorf("%q gives %q", around, got)
				}
			}
		})
	}
}

// Most of a lesson is about commands, code and configuration. It has to stay
// readable.
func TestWorkStaysReadable(t *testing.T) {
	for _, text := range []string{
		"go test ./... -run TestToken -count=1",
		"commit " + hex40 + "\nAuthor",
		"sha256:" + hex32 + hex32,
		"id: 123e4567-e89b-12d3-a456-426614174000",
		"password: use the one from the vault",
		"if not password:\n    raise ValueError",
		"password = getpass.getpass()",
		"token = os.environ[\"TOKEN\"]",
		"token := parser.next()",
		"API_KEY=$API_KEY make deploy",
		"API_KEY=${API_KEY:-} make",
		"password: ${{ secrets.DB_PASSWORD }}",
		"curl -u \"$USER:$PASS\" https://x",
		"curl -u user:password https://x",
		"https://user:password@example.com",
		"Authorization: Bearer $TOKEN",
		"Authorization: Bearer <token>",
		"max_tokens: 4096, total_tokens=12345678",
		"the token expired, run `gh auth login`",
		"error: secret \"db\" not found",
		"kubectl create secret generic db --from-file=x",
		"func (p *Parser) token() Token { return p.tok }",
		"const passwordMinLength = 12",
		"tokenizer=BertTokenizerFast",
		"PasswordHasher.verify(hash, password)",
		"public_key = ssh-ed25519",
		"cache-key: linux-go-1.26.3-modules",
		"/etc/passwd: permission denied",
		"npm ERR! missing script: build",
		"-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
		"use ghp_ tokens, AKIA ids and sk- keys",
		"ghp_" + strings.Repeat("x", 36),
		"docker run -p 8080:80 -e A=b image",
		"git@github.com:a/b.git",
		"npm i @types/node@20.1.2 left-pad@1.3.0",
		"uses: actions/checkout@v4",
		"user@example.com",
		"127.0.0.1:8080 and 10.4 and 1.10.3.2 and v10.0.0.1-rc",
		"10.0.0.0/8",
		"settings.local.json, go/internal, .env.local",
		"/homebrew/bin and https://example.org/home/x",
		"Cookie: accept or decline",
		"basic understanding of authentication",
		"keyboard: qwertyuiopasdfgh1234",
		"the quentins",
	} {
		if got := you.Text(text).String(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestPersonalDataIsRedacted(t *testing.T) {
	windows := &Redactor{Home: `C:\Users\Quentin`, User: "Quentin"}
	for _, tt := range []struct {
		r          *Redactor
		text, want string
	}{
		{you, "/home/quentin/x/y.go", "~/x/y.go"},
		{you, "cd /home/quentin", "cd ~"},
		{you, "in /home/quentin.", "in ~."},
		{you, "/home/quentin2/x", "~/x"},
		{you, "/home/alice/x and /Users/bob/y", "~/x and ~/y"},
		{you, "file:///home/alice/x", "file://~/x"},
		{you, "/root/x", "/root/x"},
		{&Redactor{Home: "/root"}, "/root/x /rooted", "~/x /rooted"},
		{windows, `C:\Users\Quentin\x`, `~\x`},
		{windows, `"C:\\Users\\Quentin\\x"`, `"~\\x"`},
		{you, `D:\Users\bob\x`, `~\x`},
		{you, "~/.claude/projects/-Users-bob-src-x/a.jsonl", "~/.claude/projects/-~-src-x/a.jsonl"},
		{you, "quentin: done by Quentin", "[USER]: done by [USER]"},
		{you, "mail quentin.x@corp.io now", "mail [EMAIL] now"},
		{you, `"by\nalice@corp.io"`, `"by\n[EMAIL]"`},
		{you, "ssh deploy@build7.internal", "ssh [EMAIL]"},
		{you, "ssh build7.internal", "ssh [HOST]"},
		{you, "http://ci.corp:8080/x", "http://[HOST]:8080/x"},
		{you, "http://localhost:3000", "http://localhost:3000"},
		{you, "ping 192.168.1.17", "ping [IP]"},
		{you, "http://10.1.2.3:80/", "http://[IP]:80/"},
		{&Redactor{User: "will"}, "it will work", "it will work"},
		{&Redactor{}, "/home/x1/y", "~/y"},
		{nil, "/home/x1/y", "~/y"},
	} {
		if got := tt.r.Text(tt.text).String(); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// DESIGN 11. A quote is cut to length after it was redacted, never before.
func TestRedactionAfterTruncationLetsHalfAKeyThrough(t *testing.T) {
	for _, tt := range secrets {
		redacted := you.Text(tt.text)
		for n := range len(tt.text) + 1 {
			got := redacted.Cut(n).String()
			if len(got) > n || !utf8.ValidString(got) {
				t.Fatalf("%s: cut to %d gives %q", tt.name, n, got)
			}
			if part := tt.secret[:min(len(tt.secret), 8)]; strings.Contains(got, part) {
				t.Fatalf("%s: cut to %d lets %q through: %q", tt.name, n, part, got)
			}
		}
	}
	// What an agent cut off before us still has its telling beginning.
	for _, text := range []string{"ghp_" + body36[:12], "token: glpat-" + body24[:9] + "...", "AKIA" + body16[:7], "xoxb-" + "1234567" + "…", "sk-ant-" + "api03-a1"} {
		if got := you.Text(text).String(); !strings.Contains(got, mark) {
			t.Errorf("%q stays %q", text, got)
		}
	}
}

// DESIGN 11. What a failed command prints is redacted like everything else.
func TestFailureMessagesAreNotRedacted(t *testing.T) {
	for _, tt := range []struct{ text, secret string }{
		{"fatal: Authentication failed for 'https://x-access-token:ghp_" + body36 + "@github.com/a/b.git/'", body36},
		{"Exit code 2\npsql: error: connection to \"postgres://app:" + "sw0rdfish" + "@db/x\" failed", "sw0rdfish"},
		{"Error: 401 {\"error\":\"Incorrect API key provided: sk-proj-" + body36 + "\"}", body36},
		{"panic: bad config: {Host:db Password:" + "s3cr3t-horse" + " Port:5432}", "s3cr3t-horse"},
		{"curl: (22) The requested URL returned error: 403\n> Authorization: Bearer " + body36, body36},
		{"docker: Error response: unauthorized: --password " + body24, body24},
		{"KeyError: 'x'\nenv: {'AWS_SECRET_ACCESS_KEY': '" + body36 + "abcd', 'HOME': '/home/quentin'}", body36},
	} {
		if got := you.Text(tt.text).String(); strings.Contains(got, tt.secret) || strings.Contains(got, "/home/quentin") {
			t.Errorf("%q gives %q", tt.text, got)
		}
	}
}

func TestSecretsThatSpanLines(t *testing.T) {
	for _, tt := range []struct{ text, secret string }{
		{"ghp_" + body36[:20] + "\n" + body36[20:] + "\nnext", body36[20:]},
		{"ghp_" + body36[:20] + "\\\n  " + body36[20:] + "\nnext", body36[20:]},
		{"password: >-\n  " + "correct-horse-7" + "\nnext: 1", "correct-horse-7"},
		{"-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(body36+body24+"\n", 30) + "-----END PRIVATE KEY-----", body36},
	} {
		if got := you.Text(tt.text).String(); strings.Contains(got, tt.secret) {
			t.Errorf("%q gives %q", tt.text, got)
		}
	}
}

// fragments are joined at random, so that rules meet each other's marks and
// halves.
var fragments = func() []string {
	all := []string{" ", "\n", "\\n", ":", "=", "\"", "'", "@", "/", ".", "-", "_", "…", "...", "password", "token=", "secret: ", "API_KEY=", "https://", "Authorization: Bearer ", "curl -u ", "[REDACTED]", "[USER]", "[EMAIL]", "~", "/home/", "/home/quentin", "quentin", "10.0.0.7", "a@b.io", ".internal", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "eyJ", "ghp_", "sk-", "AKIA", "xoxb-", "é", "\x00", "\xff", "--password ", "x"}
	for _, s := range secrets {
		all = append(all, s.text, s.text[:len(s.text)/2], s.text[len(s.text)/2:])
	}
	return all
}()

func TestRedactingTwiceChangesNothing(t *testing.T) {
	redactors := []*Redactor{nil, {}, you, {Home: "/", User: "redacted"}, {Home: "/home/x", User: "email"}}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 12).Draw(t, "fragments"), "")
		r := rapid.SampledFrom(redactors).Draw(t, "redactor")
		once := r.Text(text)
		if twice := r.Text(once.String()); twice != once {
			t.Fatalf("%q gives %q and then %q", text, once, twice)
		}
		if !utf8.ValidString(once.String()) {
			t.Fatalf("%q is no UTF-8", once)
		}
	})
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"hello", 5, "hello"},
		{"hello", 9, "hello"},
		{"hello!", 5, "he…"},
		{"hello", 2, "he"},
		{"hello", 0, ""},
		{"hello", -3, ""},
		{"äöü", 5, "ä…"},
		{"äöü", 4, "…"},
		{"äöü", 1, ""},
		{"a [REDACTED] b", 9, "a …"},
		{"a [REDACTED] b", 13, "a …"},
		{"a [REDACTED] bcdef", 16, "a [REDACTED] …"},
	} {
		if got := (Text{tt.text}).Cut(tt.n).String(); got != tt.want {
			t.Errorf("%q to %d: got %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}

func TestTextAsJSON(t *testing.T) {
	row := struct {
		A Text `json:"a"`
		B Text `json:"b,omitzero"`
	}{A: Stored("x \"y\"")}
	got, err := json.Marshal(row)
	if err != nil || string(got) != `{"a":"x \"y\""}` {
		t.Errorf("got %s, %v", got, err)
	}
	if json.Unmarshal([]byte(`{"a":"x"}`), &row) == nil {
		t.Error("decoding goes round the proof that a text was redacted")
	}
}

// Input that makes a rule walk far and give up must not make it walk again.
func TestHostileTextTakesLinearTime(t *testing.T) {
	for _, unit := range []string{"password", "password=", "SG.", "eyJ.", "token: a,", "://a:", "-----BEGIN RSA PRIVATE KEY-----\n", "-----END RSA PRIVATE KEY-----", "curl -u ", "@a", "a@", "secret\n ", "Q~", "10.", "/home/", "\"", "'password':'", "AccountKey=/", "Private-Lines:", "cookie:", "bearer aaaaaaaaaaaaa", "a.internal.", "password :::", "token is a1a1a1", "kind: Secret\n data:\n", "name: token value ", "%41", "&quot;", "data:image/png;base64,", "1234567890123456|", "echo --password-stdin ", "x identified by ", " -pass pass:", "pw=", "AKIA", "=====", "((((", "x", "key-", "\\n"} {
		var time1, time2 time.Duration
		for range 4 { // a busy machine spoils a measurement, not four
			time1, time2 = cost(unit, 1<<13), cost(unit, 1<<17)
			if time2 <= 64*time1+2*time.Millisecond {
				break
			}
		}
		if time2 > 64*time1+2*time.Millisecond {
			t.Errorf("%q: 16 times the text takes %v instead of %v", unit, time2, time1)
		}
	}
}
