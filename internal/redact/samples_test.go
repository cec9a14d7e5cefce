package redact

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// samplesAt names a folder with the rules of another program,
// gitleaks/gitleaks.toml, and with its samples, gitleaks/rule-samples.jsonl.
const samplesAt = "LESSONS_SECRET_SAMPLES"

// outsideRule is a rule of the other program.
type outsideRule struct {
	id       string
	re       *regexp.Regexp
	group    int
	keywords []string
}

var (
	ruleID       = regexp.MustCompile(`(?m)^id = "(.*)"`)
	ruleRegex    = regexp.MustCompile(`(?s)\nregex = '''(.*?)'''`)
	ruleGroup    = regexp.MustCompile(`(?m)^secretGroup = (\d)`)
	ruleKeywords = regexp.MustCompile(`(?s)keywords = \[(.*?)\]`)
	quotedWord   = regexp.MustCompile(`"([^"]*)"`)
)

func outsideRules(t *testing.T) map[string]outsideRule {
	dir := os.Getenv(samplesAt)
	if dir == "" {
		t.Skipf("SKIPPED: no samples of another program; name their folder with %s", samplesAt)
	}
	data, err := os.ReadFile(filepath.Join(dir, "gitleaks", "gitleaks.toml"))
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]outsideRule{}
	for _, block := range strings.Split(string(data), "[[rules]]")[1:] {
		id, source := ruleID.FindStringSubmatch(block), ruleRegex.FindStringSubmatch(block)
		if id == nil || source == nil {
			continue
		}
		r := outsideRule{id: id[1], re: regexp.MustCompile(source[1])}
		if g := ruleGroup.FindStringSubmatch(block); g != nil {
			r.group = int(g[1][0] - '0')
		} else if r.re.NumSubexp() > 0 {
			r.group = 1
		}
		if k := ruleKeywords.FindStringSubmatch(block); k != nil {
			for _, w := range quotedWord.FindAllStringSubmatch(k[1], -1) {
				r.keywords = append(r.keywords, w[1])
			}
		}
		rules[r.id] = r
	}
	return rules
}

// secret returns what a rule takes for the secret in a text.
func (r outsideRule) secret(text string) string {
	m := r.re.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	if r.group < len(m) && m[r.group] != "" {
		return m[r.group]
	}
	return m[0]
}

// The other program's own samples: how many of its secrets are gone, and how
// many of its counterexamples stay. Figures, no bars: some of its secrets are
// public identifiers, and some of its counterexamples are secrets of another
// kind.
func TestSamplesOfAnotherProgram(t *testing.T) {
	rules := outsideRules(t)
	f, err := os.Open(filepath.Join(os.Getenv(samplesAt), "gitleaks", "rule-samples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	secrets, others := rate{}, rate{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s struct {
			Rule, Text string
			Expect     bool `json:"expect_secret"`
		}
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		got := you.Text(s.Text).String()
		if !s.Expect {
			stays := !strings.Contains(got, mark)
			if others.count(s.Rule, stays); !stays {
				t.Logf("%s: %.200q\ngives %.200q", s.Rule, s.Text, got)
			}
			continue
		}
		secret := rules[s.Rule].secret(s.Text)
		gone := strings.Contains(got, mark) && (secret == "" || survives(got, secret) == "")
		if secrets.count(s.Rule, gone); !gone {
			t.Logf("%s: %.200q\nkeeps %.80q in %.200q", s.Rule, s.Text, secret, got)
		}
	}
	n, of := secrets.total()
	stay, all := others.total()
	t.Logf("secrets that are gone: %d of %d, counterexamples that stay: %d of %d\n%s%s", n, of, stay, all, secrets.worst(10), others.worst(10))
}

// Secrets drawn from the other program's patterns, in our places.
func TestSecretsFromPatternsOfAnotherProgram(t *testing.T) {
	rules := outsideRules(t)
	r := dice(t, "outside")
	families, places := rate{}, rate{}
	ids := make([]string, 0, len(rules))
	for id := range rules {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		rule := rules[id]
		for range 8 {
			s, ok := rule.sample(r)
			if !ok {
				continue
			}
			got := you.Text(s.text).String()
			gone := survives(got, s.secret) == ""
			families.count(id, gone)
			if places.count(s.context, gone); !gone {
				t.Logf("%s, %s: %.300q\ngives %.300q", id, s.context, s.text, got)
			}
		}
	}
	n, of := families.total()
	t.Logf("%d of %d secrets of %d families are gone: %.3f\nby family:\n%sby place:\n%s", n, of, len(families), float64(n)/float64(of), families.worst(40), places.worst(10))
}

// sample draws a secret: alone where the pattern needs no name beside it.
func (r outsideRule) sample(d *rand.Rand) (sample, bool) {
	// Where case does not matter, the form is the one that is written.
	source := strings.NewReplacer("(?i)", "", "(?i:", "(?:", "(?-i:", "(?:").Replace(r.re.String())
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil || r.id == "generic-api-key" || strings.HasPrefix(r.id, "curl-") || r.id == "kubernetes-secret-yaml" || r.id == "private-key" || r.id == "pkcs12-file" {
		return sample{}, false // not a form of one secret
	}
	needsName := strings.Contains(r.re.String(), `[ \t\w.-]{0,20}`)
	var value strings.Builder
	if group := groupOf(tree, r.group); group != nil {
		drawInto(d, group, &value)
	} else {
		drawInto(d, tree, &value)
	}
	secret := strings.Trim(value.String(), "\"' ")
	if needsName {
		c := pick(d, after)
		name := spell(d, strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(pick(d, r.keywords))+pick(d, []string{" token", " token", " api token", " api key", " secret"}))
		text, written := c.in(name, secret)
		return sample{context: c.name, text: text, secret: written}, true
	}
	c := pick(d, bare)
	text, written := c.in("", secret)
	return sample{context: c.name, text: text, secret: written}, true
}

// groupOf returns a pattern's capturing group, nil for 0.
func groupOf(tree *syntax.Regexp, n int) *syntax.Regexp {
	if tree.Op == syntax.OpCapture && tree.Cap == n {
		return tree.Sub[0]
	}
	for _, sub := range tree.Sub {
		if g := groupOf(sub, n); g != nil && n > 0 {
			return g
		}
	}
	return nil
}
