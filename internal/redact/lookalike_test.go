package redact

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// alike are places of things that look like secrets and are none, by kind. In
// braces stands a pattern that is drawn; everything else is as it is.
var alike = map[string][]string{
	"git": {
		"commit {[0-9a-f]{40}}", "HEAD is now at {[0-9a-f]{7}} Fix the build", "index {[0-9a-f]{7}}..{[0-9a-f]{7}} 100644", "{[0-9a-f]{40}} refs/heads/main",
		"git checkout {[0-9a-f]{40}}", "git show {[0-9a-f]{12}}:a.go", "Merge commit '{[0-9a-f]{40}}' into x", "blob {[0-9a-f]{40}}\ttokens.go",
		"https://github.com/a/b/commit/{[0-9a-f]{40}}", "uses: actions/checkout@{[0-9a-f]{40}} # v4", "rev: {[0-9a-f]{40}}", `"sha": "{[0-9a-f]{40}}"`, "GIT_SHA={[0-9a-f]{40}}", "COMMIT_HASH: {[0-9a-f]{40}}",
	},
	"checksum": {
		"sha256:{[0-9a-f]{64}}", "{[0-9a-f]{64}}  lessons.tar.gz", "{[0-9a-f]{32}}  a.zip", "md5sum: {[0-9a-f]{32}}", "image@sha256:{[0-9a-f]{64}}", "FROM alpine:3.20@sha256:{[0-9a-f]{64}}",
		"checksum = \"{[0-9a-f]{64}}\"", `"digest": "sha256:{[0-9a-f]{64}}"`, `ETag: "{[0-9a-f]{32}}"`, "    --hash=sha256:{[0-9a-f]{64}}", "SHA512 (x.tgz) = {[0-9a-f]{128}}", "CHECKSUM={[0-9a-f]{64}}",
		"content_hash: {[0-9a-f]{64}}", "SHA256:{[A-Za-z0-9+/]{43}} dev@host (ED25519)", "fingerprint: {[0-9A-F]{2}(:[0-9A-F]{2}){15}}", "narHash = \"sha256-{[A-Za-z0-9+/]{43}}=\"",
	},
	"lock file": {
		`"integrity": "sha512-{[A-Za-z0-9+/]{86}}=="`, "  integrity sha512-{[A-Za-z0-9+/]{86}}==", "github.com/a/b v1.2.3 h1:{[A-Za-z0-9+/]{43}}=", "github.com/a/b v1.2.3/go.mod h1:{[A-Za-z0-9+/]{43}}=",
		"  checksum: 10c0/{[0-9a-f]{128}}", `{file = "x-1.0.whl", hash = "sha256:{[0-9a-f]{64}}"},`, `"_resolved": "https://registry.npmjs.org/x/-/x-1.2.3.tgz"`, `resolution: {integrity: sha512-{[A-Za-z0-9+/]{86}}==}`,
		`"jsonwebtoken@npm:^9.0.0":`, `source = "registry+https://github.com/rust-lang/crates.io-index"`, `"token-types": "^5.0.1",`, `<script src="x.js" integrity="sha384-{[A-Za-z0-9+/]{64}}"></script>`,
	},
	"identifier": {
		"id: {[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}}", `"request_id": "{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}}"`, "x-request-id: {[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}}",
		`"id":"{01[0-9A-HJKMNP-TV-Z]{24}}"`, "ulid {01[0-9A-HJKMNP-TV-Z]{24}} created", `{"_id": "{[0-9a-f]{24}}"}`, "traceparent: 00-{[0-9a-f]{32}}-{[0-9a-f]{16}}-01", "trace_id={[0-9a-f]{32}} span_id={[0-9a-f]{16}}",
		`"tool_use_id":"toolu_{[A-Za-z0-9]{24}}"`, `"id": "msg_{[A-Za-z0-9]{24}}"`, "call_{[A-Za-z0-9]{24}} failed", "chatcmpl-{[A-Za-z0-9]{29}}", `"sessionId":"{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}}"`,
		"arn:aws:iam::{[0-9]{12}}:role/deploy", "vpc-{[0-9a-f]{17}} subnet-{[0-9a-f]{17}}", "i-{[0-9a-f]{17}} running", "run {[0-9]{10}} attempt 2", "customer cus_{[A-Za-z0-9]{14}} has no price", "invoice in_{[A-Za-z0-9]{24}}",
		"idempotency_key: {[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}}", "primary_key = {[0-9]{8}}", "cache-key: node-modules-linux-{[0-9a-f]{64}}", "key: v1-deps-{[0-9a-f]{64}}", `"partition_key": "user#{[0-9]{8}}"`,
		"api_key_id: {[a-z0-9]{20}}", "token_id={[0-9]{6}}", "secret_name: db-credentials", `"kid": "{[A-Za-z0-9_-]{27}}"`, "container {[0-9a-f]{64}} exited", "docker logs {[0-9a-f]{12}}", "PID {[0-9]{5}} at 0x{[0-9a-f]{12}}",
		"build id {[A-Za-z0-9_-]{20}}/{[A-Za-z0-9_-]{20}}", "snowflake {[0-9]{18}}", "slack channel {C0[A-Z0-9]{9}}", "ARN_SUFFIX={[0-9]{12}}", "session {[0-9a-f]{8}} resumed", "key=user:{[0-9]{6}}:profile",
	},
	"public": {
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{[A-Za-z0-9+/]{43}} dev@example.com", "ssh-rsa AAAAB3NzaC1yc2E{[A-Za-z0-9+/]{180}} x", "-----BEGIN CERTIFICATE-----\n{[A-Za-z0-9+/]{64}}\n{[A-Za-z0-9+/]{64}}\n-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\n{[A-Za-z0-9+/]{64}}\n-----END PUBLIC KEY-----", "-----BEGIN PGP SIGNATURE-----\n\n{[A-Za-z0-9+/]{64}}\n-----END PGP SIGNATURE-----", "public_key: {[A-Za-z0-9+/]{43}}=", "STRIPE_PUBLISHABLE_KEY=pk_test_{[a-zA-Z0-9]{24}}",
		"publicKey: \"{[0-9a-f]{64}}\"", "known_hosts: host ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{[A-Za-z0-9+/]{43}}", "age1{[a-z0-9]{58}}", "0x{[0-9a-fA-F]{40}}", "GPG key {[0-9A-F]{40}}", "gpg: using RSA key {[0-9A-F]{16}}",
	},
	"binary": {
		"data:image/png;base64,iVBORw0KGgo{[A-Za-z0-9+/]{300}}", "<img src=\"data:image/svg+xml;base64,PHN2Zy{[A-Za-z0-9+/]{200}}\">", "url(data:font/woff2;base64,d09GMg{[A-Za-z0-9+/]{120}}==)", "\"image\": \"/9j/4AAQSkZJRg{[A-Za-z0-9+/]{200}}\"",
		"00000010: {[0-9a-f]{4}( [0-9a-f]{4}){7}}  ................", "\\x{[0-9a-f]{2}}\\x{[0-9a-f]{2}}\\x{[0-9a-f]{2}}", "//# sourceMappingURL=data:application/json;base64,{[A-Za-z0-9+/]{160}}", "{[A-Za-z0-9+/]{76}}\n{[A-Za-z0-9+/]{76}}\n",
	},
	"built code": {
		"!function(e,t){var n=e.token,r=t.key;return n&&r?n+r:null}(window,{[a-z]{6}})", "main.{[0-9a-f]{8}}.js  142 kB", "chunk-{[A-Z0-9]{8}}.mjs", ".css-{[a-z0-9]{6}}{color:red}", "const e=(0,i.useToken)(),t=r.secret??{[a-z]{4}}", "function({[a-z]},{[a-z]}){return {[a-z]}.password.length>7}",
		"assets/index-{[A-Za-z0-9_-]{8}}.css", "_next/static/chunks/{[0-9a-f]{16}}.js", "__webpack_require__.h=()=>\"{[0-9a-f]{20}}\"",
	},
	"placeholder": {
		"API_KEY=your-api-key", "API_KEY=your_api_key_here", "export TOKEN=<token>", "token: YOUR_TOKEN", "password: changeme", "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "OPENAI_API_KEY=sk-...", "sk-xxxxxxxxxxxxxxxxxxxxxxxx", "password=********",
		"PASSWORD=\"\"", "secret: null", "token = None", "api_key: \"<your key>\"", "Authorization: Bearer YOUR_TOKEN", "Authorization: Bearer <token>", "AWS_ACCESS_KEY_ID=AKIA{[I]}OSFODNN7EXAMPLE", "password: \"REPLACE_ME\"", "SECRET_KEY=insert-secret-key-here",
		"postgres://user:password@localhost:5432/db", "https://user:pass@example.com", "https://username:password@host", "curl -u user:password https://example.com", "token=[REDACTED]", "apiKey: 'test'", "password: 'password'", "API_TOKEN=dummy", "apiKey: \"xxxx-xxxx-xxxx\"", "secret=***",
		"api_key = \"my-api-key\"", "JWT_SECRET=your-super-secret-jwt-key", "client_secret: \"TODO\"", "-p <password>", "--token=$TOKEN", "mysql -u root -p db",
	},
	"variable": {
		"API_KEY=$API_KEY make", "API_KEY=${API_KEY:?missing}", "password: ${DB_PASSWORD}", "token: ${{ secrets.GITHUB_TOKEN }}", "password: {{ .Values.db.password }}", "TOKEN=$(gh auth token)", "TOKEN=`cat token.txt`", "apiKey: process.env.OPENAI_API_KEY",
		"api_key=os.environ[\"API_KEY\"]", "token := os.Getenv(\"GITHUB_TOKEN\")", "password = getpass.getpass()", "secret = config.get('secret_key')", "Authorization: `Bearer ${token}`", "Authorization: Bearer $TOKEN", "\"Authorization\": f\"Bearer {token}\"", "curl -u \"$USER:$PASS\" https://x",
		"https://${USER}:${PASSWORD}@host/x", "postgres://$DB_USER:$DB_PASS@db/x", "password: !vault secret/db", "key = var.secret_key", "password_file: /run/secrets/db", "set token %TOKEN%", "secretKeyRef:\n  name: db\n  key: password", "AWS_SECRET_ACCESS_KEY is not set",
		"--password-stdin < file", "token: @token", "env.API_TOKEN = credentials('deploy')", "password = data.vault_generic_secret.db.data[\"password\"]", "$env:TOKEN = $token",
	},
	"code": {
		"token := parser.next()", "if password == \"\" {", "func generateSecretKey(n int) string {", "import { getToken } from './token-store'", "tokens, err := tokenize(input)", "const maxTokens = 4096", "max_tokens: 8192, total_tokens=12345678", "password: string;", "apiKey?: string",
		"private readonly tokenService: TokenService,", "user.password = hash(user.password)", "expect(token).toBe('abc')", "TestTokenRefreshWithExpiredSecret", "class PasswordResetTokenGenerator:", "assert secret_key != public_key", "SELECT password_hash FROM users WHERE id = $1",
		"CREATE TABLE tokens (id uuid primary key)", "key={[a-z]{6}}", "for key, value in items.items():", "return { accessToken, refreshToken }", "token.kind === TokenKind.Identifier", "case tok == token.IDENT:", "secrets.token_hex(32)", "crypto.randomBytes(32).toString('hex')", "bcrypt.compare(password, user.passwordHash)",
		"tokenizer = AutoTokenizer.from_pretrained(\"bert-base-uncased\")", "passwordInput: { minLength: 12, maxLength: 128 }", "@Column({ name: 'password_digest' })", "self.assertEqual(token_count, 1723)", "apiKeyHeader = APIKeyHeader(name=\"X-API-Key\")", "const keyboard = useKeyboard2()", "sortKey = 'createdAt_2026'",
		"<input type=\"password\" name=\"password\" autocomplete=\"current-password\">", "{{#if token}}x{{/if}}", "csrf_token = forms.CharField()", "secret: Secret<String>,", "type Token = { kind: 'ident'; text: string }", "#define TOKEN_MAX_LENGTH_2 64", "passwordless = true", "key: 'user.settings.notifications'", "apiKeyEnabled: true",
	},
	"work": {
		"/etc/passwd: permission denied", "~/.ssh/id_ed25519: no such file", "secrets/db.yaml:12: bad indent", "src/auth/token_store_test.go:144", "the token expired, run gh auth login", "error: secret \"db\" not found", "kubectl get secret db-credentials-2026 -o yaml", "password must have 12 characters",
		"go test -run TestToken -count=1 ./...", "npm ERR! code E401 unauthorized: token expired", "2026-03-01T10:00:00.123Z INFO token refreshed in 12ms", "v1.22.3-rc.1+build.{[0-9]{4}}", "10.15.7 (19H2026)", "node_modules/.pnpm/jsonwebtoken@9.0.2/node_modules", "org.springframework.security.oauth2.client.token.AccessTokenProvider",
		"K8s secret api-token-{[a-z0-9]{5}} created", "pod/web-{[0-9a-f]{9}}-{[a-z0-9]{5}} CrashLoopBackOff", "Bearer authentication is not enabled", "basic understanding of authentication", "https://example.com/docs/api-keys#create", "tokens: 12,345 in / 678 out", "GOFLAGS=-mod=mod go build", "ssh-keygen -t ed25519 -f key",
		"--- PASS: TestParse1234 (0.00s)", "pass=3 fail=0", "tests: 12 pass, 0 fail", "PASS: pkg/parse_test2", "\"auth\": \"required\"", "auth=basic", "  -token string\n    \tthe token", "  -password string", "field \"password\" 'required'", "password \"must have 8 characters\"", "author: \"Jane Doe 1234567\"", "pass:", "bypass=true", "compass=\"north-4412\"",
		"git commit -m 'Rotate the api key and the signing secret'", "passwords are hashed with argon2id, m=65536,t=3,p=4", "see RFC 7519, section 4.1.3", "the session cookie is not set", "the key is in the vault, not here", "PASSWORD_MIN_LENGTH=12", "TOKEN_EXPIRY_SECONDS=3600", "ACCESS_TOKEN_EXPIRE_MINUTES: 30", "SECRET_ROTATION_DAYS=90",
		"JWT_ALGORITHM=RS256", "auth_url: https://login.example.org/oauth2/v2.0/token", "token_endpoint=https://login.example.org/token", "API_KEY_HEADER=X-Api-Key", "S3 key: uploads/2026/03/report-{[0-9]{6}}.pdf", "curl -H 'Accept: application/vnd.github.v3+json' https://api.github.com", "docker run -p 8080:80 -e NODE_ENV=production image:1.2.3",
		"#{[0-9a-f]{6}} and #{[0-9a-f]{3}}", "MAC {[0-9a-f]{2}(:[0-9a-f]{2}){5}}", "2001:db8:{[0-9a-f]{4}}:{[0-9a-f]{4}}::1", "base64 -d <<< {[A-Za-z0-9]{16}}", "llama-3.1-8b-instruct-q4_K_M", "claude-sonnet-4-20250514", "us.anthropic.claude-3-7-sonnet-20250219-v1:0",
	},
}

// drawAll replaces every pattern in braces that begins like a class or names a
// prefix.
func drawAll(r *rand.Rand, text string) string { return drawWhere(r, text, startsPattern) }

// drawAllOf replaces everything in braces.
func drawAllOf(r *rand.Rand, text string) string {
	return drawWhere(r, text, func(string) bool { return true })
}

func drawWhere(r *rand.Rand, text string, pattern func(rest string) bool) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '{' || !pattern(text[i+1:]) {
			out.WriteByte(text[i])
			i++
			continue
		}
		depth, end := 0, i
		for ; end < len(text); end++ {
			if text[end] == '{' {
				depth++
			}
			if text[end] == '}' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		out.WriteString(draw(r, text[i+1:end]))
		i = end + 1
	}
	return out.String()
}

func startsPattern(rest string) bool {
	return strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "01[") || strings.HasPrefix(rest, "C0[")
}

func TestLookAlikesStay(t *testing.T) {
	r := dice(t, "alike")
	kinds := rate{}
	shown := map[string]bool{}
	for _, kind := range slices.Sorted(maps.Keys(alike)) {
		for _, place := range alike[kind] {
			for range 8 {
				text := drawAll(r, place)
				got := you.Text(text).String()
				stays := strings.Count(got, mark) <= strings.Count(text, mark)
				kinds.count(kind, stays)
				if !stays && !shown[place] {
					shown[place] = true
					t.Logf("%s: %q\ngives %q", kind, text, got)
				}
			}
		}
	}
	n, of := kinds.total()
	alarms := 1 - float64(n)/float64(of)
	t.Logf("%d false alarms in %d: %.4f\n%s", of-n, of, alarms, kinds.worst(len(kinds)))
	if alarms > mostAlarms {
		t.Errorf("%s", fmt.Sprintf("false alarms %.4f, at most %.2f", alarms, mostAlarms))
	}
}
