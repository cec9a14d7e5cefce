package redact

import (
	"strings"
	"testing"
)

// personal are forms of what belongs to people and their networks, by kind. In
// braces stands a pattern; the first piece in double angle brackets must go.
var personal = map[string][]string{
	"home": {
		"/home/<<{[a-z]{3,9}[0-9]?}>>/src/x", "/Users/<<{[a-z]{3,9}}.{[a-z]{3,9}}>>/Library", `C:\Users\<<{[A-Z][a-z]{3,9}}>>\AppData`, `"C:\\Users\\<<{[A-Z][a-z]{3,9}}>>\\x.go"`, "/mnt/c/Users/<<{[a-z]{3,9}}>>/x", "/c/Users/<<{[a-z]{3,9}}>>/x",
		"/var/home/<<{[a-z]{3,9}}>>/x", "/export/home/<<{[a-z]{3,9}}>>/x", "file:///Users/<<{[a-z]{3,9}}>>/a.html", "cd /home/<<{[a-z]{3,9}}>>", "/home/<<{[a-z]{3,9}}>>: permission denied", "~/.claude/projects/-Users-<<{[a-z]{3,9}}>>-src-x/a.jsonl",
		"at Object.<anonymous> (/Users/<<{[a-z]{3,9}}>>/app/index.js:3:9)", "\"cwd\":\"/home/<<{[a-z]{3,9}}>>/x\"", "PATH=/usr/bin:/home/<<{[a-z]{3,9}}>>/bin", "-I/home/<<{[a-z]{3,9}}>>/include", "--config=/home/<<{[a-z]{3,9}}>>/x.toml", "/home/<<{[a-z]{3,9}}>>/.cache/x",
		"`/Users/<<{[a-z]{3,9}}>>`", "D:/Users/<<{[a-z]{3,9}}>>/x", `\\\\server\\Users\\<<{[a-z]{5,9}}>>\\x`,
	},
	"mail": {
		"mail <<{[a-z]{3,9}}.{[a-z]{3,9}}@{[a-z]{4,9}}.com>> now", "Author: A B <<{[a-z]{3,9}@[a-z]{4,9}}.org>>", "<<{[a-z]{3,9}\\+[a-z]{2,4}@[a-z]{4,9}}.io>>", "user=<<{[a-z]{3,9}@[a-z]{4,9}}.co.uk>>", "\"email\":\"<<{[a-z]{3,9}_[a-z]{2,4}@mail\\.[a-z]{4,9}}.de>>\"",
		"Co-authored-by: X <<<{[a-z]{3,9}@[a-z]{4,9}}.dev>>>", "mailto:<<{[a-z]{3,9}@[a-z]{4,9}}.net>>", "https://x.example.org/?u=<<{[a-z]{3,9}}%40{[a-z]{4,9}}.com>>", "git config user.email <<{[a-z]{3,9}[0-9]{1,3}@[a-z]{4,9}}.com>>",
	},
	"address": {
		"ping <<10.{[1-9][0-9]?}.{[1-9][0-9]?}.{[1-9][0-9]?}>>", "http://<<192.168.{[1-9][0-9]?}.{[1-9][0-9]?}>>:8080/", "ssh dev@<<172.{(1[6-9]|2[0-9]|3[01])}.{[1-9][0-9]?}.{[1-9][0-9]?}>>", "dial tcp <<10.{[1-9][0-9]?}.{[1-9][0-9]?}.{[1-9][0-9]?}>>:5432: refused",
		"inet6 <<fd{[0-9a-f]{2}}:{[0-9a-f]{4}}:{[0-9a-f]{4}}::{[0-9a-f]{1,4}}>> up", "[<<fe80::{[1-9a-f][0-9a-f]{3}}:{[1-9a-f][0-9a-f]{3}}>>]:22", "host=<<169.254.{[1-9][0-9]?}.{[1-9][0-9]?}>>", "\"<<100.{(6[4-9]|[7-9][0-9]|1[01][0-9])}.{[1-9][0-9]?}.{[1-9][0-9]?}>>\"",
	},
	"host": {
		"https://<<{[a-z]{3,9}}.{[a-z]{3,9}}.internal>>/x", "ssh <<{[a-z]{3,9}[0-9]}.corp>>", "http://<<{[a-z]{3,9}}.lan>>:8080", "postgres://app@<<{[a-z]{3,9}}.intranet>>:5432/x", "git@<<git.{[a-z]{3,9}}.corp>>:a/b.git", "curl https://<<{[a-z]{3,9}}.home.arpa>>",
		"http://<<{[a-z]{3,9}}.{[a-z]{3,9}}.svc.cluster.local>>:80", "host <<{[a-z]{3,9}}.internal>> not found", "lookup <<{[a-z]{3,9}}.corp>>: no such host", "Could not resolve host: <<{[a-z]{3,9}}.internal>>", "HOST=<<{[a-z]{3,9}-[0-9]}.internal>>", "wss://<<{[a-z]{3,9}}.local>>/x",
		"getaddrinfo ENOTFOUND <<{[a-z]{3,9}}.{[a-z]{3,9}}.internal>>", "ping <<{[a-z]{3,9}}.lan>>", "server: <<{[a-z]{3,9}}.{[a-z]{3,9}}.corp>>",
	},
}

// What belongs to people goes, in 98 of 100 cases.
func TestFreshPersonalDataIsRedacted(t *testing.T) {
	r := dice(t, "personal")
	kinds := rate{}
	for _, kind := range []string{"home", "mail", "address", "host"} {
		for _, place := range personal[kind] {
			for range 8 {
				before, rest, _ := strings.Cut(place, "<<")
				value, after, _ := strings.Cut(rest, ">>")
				if strings.HasPrefix(value, "<") {
					before, value = before+"<", value[1:]
				}
				value = drawAllOf(r, value)
				text := before + value + after
				got := you.Text(text).String()
				gone := !strings.Contains(got, value)
				if kinds.count(kind, gone); !gone {
					t.Logf("%s: %q\ngives %q", kind, text, got)
				}
			}
		}
	}
	n, of := kinds.total()
	t.Logf("%d of %d are gone: %.3f\n%s", n, of, float64(n)/float64(of), kinds.worst(len(kinds)))
	if float64(n) < 0.98*float64(of) {
		t.Errorf("%.3f of personal data is gone, must be 0.98", float64(n)/float64(of))
	}
}

// What only looks like it stays.
func TestPublicAddressesStay(t *testing.T) {
	for _, text := range []string{
		"/home/linuxbrew/bin", "/home/user/x", "/Users/Shared/x", "https://example.org/home/page", "127.0.0.1:80", "0.0.0.0", "8.8.8.8", "10.0.0.0/8", "192.168.0.0/16", "v10.1.2.3", "1.10.1.2.3", "::1", "2001:db8::1",
		"git@github.com:a/b.git", "noreply@github.com", "dev@example.com", "left-pad@1.3.0", "@types/node@20", "settings.local.json", "go/internal/x", "import \"x/internal\"", "localhost:3000", "host.docker.internal:5432", "a.local = 1", "obj.internal.x", "pkg.internal",
		"this.corp = x", "font.face: bold", "feed::1 x", "fe::x", "fd = open(x)", "std::fd::RawFd", "100.50 %", "169.254",
	} {
		if got := you.Text(text).String(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
