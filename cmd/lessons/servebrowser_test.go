//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

var pictures = flag.String("pictures", "", "write pictures of the pages of serve into this folder")

// chromium is a real browser, driven by its debugging protocol through two pipes.
type chromium struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	sent    int
	asked   []string // addresses that its pages asked for
}

// openChromium starts the browser that is installed, if one is.
func openChromium(t *testing.T) *chromium {
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			program = cmp.Or(program, found)
		}
	}
	if program == "" {
		t.Skip("NO BROWSER: the pages of serve were not tried in one; install chromium")
	}
	commands, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "lessons-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
		"--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.ExtraFiles = []*os.File{commands, answers}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = commands.Close(), answers.Close()
	b := &chromium{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		_, _ = b.call("Browser.close", nil)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it started beside itself
		_ = cmd.Wait()
		_, _ = to.Close(), from.Close()
		for range 10 { // its processes may write until they are gone
			if os.RemoveAll(profile) == nil {
				break
			}
		}
	})
	target := b.must("Target.createTarget", map[string]any{"url": "about:blank"})
	attached := b.must("Target.attachToTarget", map[string]any{"targetId": target["targetId"], "flatten": true})
	b.session = attached["sessionId"].(string)
	for _, domain := range []string{"Page", "Network", "Accessibility"} {
		b.must(domain+".enable", nil)
	}
	return b
}

// call has the browser do something, and waits for the answer.
func (b *chromium) call(method string, params map[string]any) (map[string]any, error) {
	b.sent++
	message := map[string]any{"id": b.sent, "method": method, "params": params}
	if params == nil {
		message["params"] = map[string]any{}
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	data, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	if _, err := b.to.Write(append(data, 0)); err != nil {
		return nil, err
	}
	return b.wait(func(m cdpMessage) bool { return m.ID == b.sent })
}

type cdpMessage struct {
	ID     int
	Method string
	Params struct {
		Request struct{ URL string }
	}
	Result map[string]any
	Error  *struct{ Message string }
}

// wait reads what the browser tells until it is what somebody waits for.
func (b *chromium) wait(wanted func(cdpMessage) bool) (map[string]any, error) {
	for {
		data, err := b.from.ReadBytes(0)
		if err != nil {
			return nil, err
		}
		var m cdpMessage
		if err := json.Unmarshal(bytes.TrimSuffix(data, []byte{0}), &m); err != nil {
			return nil, err
		}
		if m.Method == "Network.requestWillBeSent" {
			b.asked = append(b.asked, m.Params.Request.URL)
		}
		if wanted(m) {
			if m.Error != nil {
				return nil, fmt.Errorf("the browser: %s", m.Error.Message)
			}
			return m.Result, nil
		}
	}
}

func (b *chromium) must(method string, params map[string]any) map[string]any {
	b.t.Helper()
	result, err := b.call(method, params)
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	return result
}

// loads does something that loads a page, and waits for that.
func (b *chromium) loads(do func()) {
	b.t.Helper()
	do()
	if _, err := b.wait(func(m cdpMessage) bool { return m.Method == "Page.loadEventFired" }); err != nil {
		b.t.Fatal(err)
	}
}

func (b *chromium) open(address string) {
	b.t.Helper()
	b.loads(func() { b.must("Page.navigate", map[string]any{"url": address}) })
}

// eval is the text that an expression gives on the page.
func (b *chromium) eval(expression string) string {
	b.t.Helper()
	result := b.must("Runtime.evaluate", map[string]any{"expression": expression, "userGesture": true})
	if result["exceptionDetails"] != nil {
		b.t.Fatalf("%s: %v", expression, result["exceptionDetails"])
	}
	value, _ := result["result"].(map[string]any)["value"].(string)
	return value
}

// click presses the link or button with a text.
func (b *chromium) click(text string) {
	b.t.Helper()
	control := fmt.Sprintf("[...document.querySelectorAll('a,button')].find(e => e.textContent.trim().startsWith(%q))", text)
	// A page that still takes the place of another has it in a moment.
	there := "new Promise(done => { let n = 0; const look = () => " + control + " || n++ > 500 ? done() : setTimeout(look, 20); look() })"
	for range 100 {
		if _, err := b.call("Runtime.evaluate", map[string]any{"expression": there, "awaitPromise": true}); err == nil {
			break
		}
	}
	b.loads(func() { b.eval(control + ".click()") })
}

func (b *chromium) text() string { return b.eval("document.body.innerText") }

// unnamed are the controls of the page that people who hear it could not tell apart.
func (b *chromium) unnamed() (unnamed []string, controls int) {
	nodes, _ := b.must("Accessibility.getFullAXTree", nil)["nodes"].([]any)
	for _, n := range nodes {
		node := n.(map[string]any)
		value := func(key string) string {
			holder, _ := node[key].(map[string]any)
			text, _ := holder["value"].(string)
			return text
		}
		switch role := value("role"); role {
		case "button", "link", "textbox", "searchbox", "combobox", "image", "img":
			controls++
			if strings.TrimSpace(value("name")) == "" {
				unnamed = append(unnamed, role)
			}
		}
	}
	return unnamed, controls
}

// picture writes how the page looks in both colour schemes.
func (b *chromium) picture(name string) {
	b.t.Helper()
	if *pictures == "" {
		return
	}
	for _, scheme := range []string{"light", "dark"} {
		b.must("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
		shot := b.must("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true})
		data, err := base64.StdEncoding.DecodeString(shot["data"].(string))
		if err == nil {
			err = os.WriteFile(filepath.Join(*pictures, name+"-"+scheme+".png"), data, 0o644)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// printed is what a command printed, while it runs.
type printed struct {
	mutex sync.Mutex
	text  strings.Builder
	more  chan struct{}
}

func (p *printed) Write(data []byte) (int, error) {
	p.mutex.Lock()
	p.text.Write(data)
	p.mutex.Unlock()
	p.more <- struct{}{}
	return len(data), nil
}

// serving runs serve until the test ends, and returns the address that it prints.
func (p *player) serving() string {
	p.t.Helper()
	out := &printed{more: make(chan struct{}, 100)}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- runUntil(ctx, []string{"serve"}, p.system(strings.NewReader(""), out, io.Discard))
	}()
	p.t.Cleanup(func() {
		stop()
		if status := <-ended; status != exitInterrupted && status != 0 {
			p.t.Errorf("serve: exit status %d", status)
		}
	})
	for {
		select {
		case <-out.more:
		case status := <-ended:
			p.t.Fatalf("serve ended with status %d", status)
		}
		out.mutex.Lock()
		_, address, found := strings.Cut(out.text.String(), "  http://")
		out.mutex.Unlock()
		if address, _, whole := strings.Cut(address, "\n"); found && whole {
			return "http://" + address
		}
	}
}

// A person in a real browser: enters, filters, reads, decides and takes back, and finds it in
// the files. No page asks for anything elsewhere, and every control has a name.
func TestServeInABrowser(t *testing.T) {
	b := openChromium(t)
	p := toReview(t)
	head := p.head()
	address := p.serving()
	names := func(page string) {
		t.Helper()
		if unnamed, controls := b.unnamed(); len(unnamed) > 0 || controls < 2 {
			t.Errorf("%s: of %d controls these have no name: %v", page, controls, unnamed)
		}
		b.picture(page)
	}
	says := func(want string) {
		t.Helper()
		if text := b.text(); !strings.Contains(text, want) {
			t.Fatalf("the page does not say %q:\n%s", want, text)
		}
	}
	b.open(address)
	b.click("Read the report")
	says("What lessons did")
	names("serve-report")
	b.click("Review")
	says("8 of 8")
	names("serve-list")
	b.loads(func() {
		b.eval("document.querySelector('select[name=why]').value = 'draft'; document.querySelector('form.filter button').click()")
	})
	says("2 of 8")
	b.click("go test")
	says("HIGH warning: go test -timeout wants a unit")
	names("serve-item")
	b.click("Accept")
	says("is active now")
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons/go-test-*.md")); len(files) != 1 || !strings.Contains(p.text(files[0]), "status: active") {
		t.Error("it is not accepted")
	}
	says("Deploys name a region")
	b.loads(func() {
		b.eval("document.querySelector('textarea').value += 'Ask Ada.\\n'; [...document.querySelectorAll('button')].find(e => e.value == 'edit').click()")
	})
	b.click("Archive")
	says("Nothing of that waits")
	if changed := p.output("status", "--short", ".lessons"); strings.Count(changed, " M ") != 2 {
		t.Errorf("git says %q", changed)
	}
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons/deploys-*.md")); len(files) != 1 || !strings.Contains(p.text(files[0]), "status: archived") || !strings.HasSuffix(p.text(files[0]), "Ask Ada.\n") {
		t.Error("it is not edited and archived")
	}
	b.click("Undo")
	says("is as it was")
	says("Deploys name a region")
	b.loads(func() {
		b.eval("document.querySelector('input[name=reason]').value = 'we use another tool'; [...document.querySelectorAll('button')].find(e => e.value == 'delete').click()")
	})
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons/deploys-*.md")); len(files) != 0 {
		t.Errorf("%v is still there", files)
	}
	b.open(address)
	says("was used already")
	if p.head() != head {
		t.Error("somebody committed")
	}
	own := address[:strings.Index(address, "/enter")]
	for _, asked := range b.asked {
		if !strings.HasPrefix(asked, own+"/") {
			t.Errorf("a page asked for %s", asked)
		}
	}
	if len(b.asked) < 10 {
		t.Errorf("only %d requests were seen", len(b.asked))
	}
}
