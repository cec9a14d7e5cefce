package redact

import "strings"

// credentialFlags are options whose operand is a password, or "user:password"
// where login is set.
var credentialFlags = []struct {
	programs, flag string // programs: divided by commas
	login          bool
}{
	{"curl", " -u", true},
	{"curl", " --user", true},
	{"curl", " --proxy-user", true},
	{"curl,smbclient", " -U", true},
	{"http", " -a", true},
	{"wget", " --http-password", false},
	{"sshpass,mysql,mysqldump,mariadb,mongo,docker login,podman login,az login,7z", " -p", false},
	{"redis-cli", " -a", false},
	{"ldapsearch", " -w", false},
	{"htpasswd", " -b", false},
	{"openssl", " -k", false},
	{"unzip,zip", " -P", false},
}

// maxCommand bounds how far an option may stand behind its program.
const maxCommand = 2048

// commandRules redact credentials on command lines, and in .netrc lines.
func commandRules() []rule {
	var rules []rule
	for _, f := range credentialFlags {
		for program := range strings.SplitSeq(f.programs, ",") {
			rules = append(rules, rule{text: program + " ", find: func(t *scanner, at int) int {
				return t.command(at, at+len(program), f.flag, f.login)
			}})
		}
	}
	return append(rules, rule{text: " password ", fold: true, find: (*scanner).netrc})
}

// command redacts the operands of a flag of the program s[at:from].
func (t *scanner) command(at, from int, flag string, login bool) int {
	if at > 0 && (word.has(t.s[at-1]) || t.s[at-1] == '-') && !escaped(t.s, at) {
		return from
	}
	end := commandEnd(t.s, from)
	t.operands(flag, login, from, end)
	return end
}

// netrc redacts the password of "machine x login y password z".
func (t *scanner) netrc(at int) int {
	from := at + len(" password ")
	line := t.low[max(0, at-160):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if !strings.Contains(line, "login ") || !strings.Contains(line, "machine ") && !strings.HasPrefix(strings.TrimSpace(line), "login ") {
		return from
	}
	to := from
	for to < len(t.s) && !space.has(t.s[to]) {
		to++
	}
	if !placeholder(t.s[from:to]) {
		t.drop(from, to)
	}
	return to
}

// commandEnd returns where the simple command ends that goes on at from. A
// backslash carries it over a line's end.
func commandEnd(s string, from int) int {
	limit := min(len(s), from+maxCommand)
	for i := from; i < limit; i++ {
		switch s[i] {
		case '\n':
			if i == 0 || s[i-1] != '\\' {
				return i
			}
		case ';', '|':
			return i
		}
	}
	return limit
}

func (t *scanner) operands(flag string, login bool, from, to int) {
	for at := from; at < to; {
		i := strings.Index(t.s[at:to], flag)
		if i < 0 {
			return
		}
		at += i + len(flag)
		t.operand(flag, login, at, to)
	}
}

// operand redacts what belongs to the flag that ends at at.
func (t *scanner) operand(flag string, login bool, at, limit int) {
	long := strings.HasPrefix(flag, " --")
	i := set(" \t=").run(t.s, at)
	if i == at && long || i >= limit {
		return
	}
	end := operandEnd(t.s, i, limit)
	v := t.s[i:end]
	if !login {
		v = strings.Trim(v, `"'`)
		if i == at && len(v) >= 3 || i > at && digit.any(v) && len(v) >= 4 {
			if !placeholder(v) && !strings.HasPrefix(v, "-") && !pathLike(v) {
				t.drop(i, end)
			}
		}
		return
	}
	user, pass, ok := strings.Cut(v, ":")
	user, pass = strings.Trim(user, `"'{}<>`), strings.Trim(pass, `"'{}<>`)
	if !ok || strings.Contains(v, "$(") || strings.Contains(v, "{{") || strings.Contains(v, mark) {
		return
	}
	if known := pass == "" || placeholder(pass) || strings.HasPrefix(pass, "$"); known && (pass != "" || len(user) < 8 || !digit.any(user) || placeholder(user)) || len(pass) > 0 && len(pass) < 4 {
		return
	}
	t.drop(i, end)
}

// operandEnd returns the end of the shell word at i, with its quotes.
func operandEnd(s string, i, limit int) int {
	quote := byte(0)
	for ; i < limit; i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case space.has(c) || c == '`':
			return i
		}
	}
	return i
}
