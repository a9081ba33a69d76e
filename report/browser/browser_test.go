package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

//go:embed testdata/axe/axe.min.js
var axe string

var shots = flag.String("shots", "", "write pictures of what is looked at into this directory")

var (
	dir     string // where pages are written, and shmbench and dmesim
	browser context.Context
	options []chromedp.ExecAllocatorOption
)

func TestMain(m *testing.M) {
	flag.Parse()
	status, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func run(m *testing.M) (status int, err error) {
	chromium, err := find()
	if err != nil {
		return 0, err
	}
	if dir, err = os.MkdirTemp("", "shmbench-browser"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for _, program := range []string{"./cmd/shmbench", "./distributed/cmd/dmesim"} {
		if out, err := exec.Command("go", "-C", filepath.Join(root, program), "build", "-o", dir, ".").CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%s: %w: %s", program, err, out)
		}
	}
	options = append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true))
	allocated, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	browser, cancel = chromedp.NewContext(allocated)
	defer cancel()
	if err := chromedp.Run(browser); err != nil {
		return 0, fmt.Errorf("%s does not start: %w", chromium, err)
	}
	return m.Run(), nil
}

// root is the directory of the module that writes the pages.
const root = "../.."

func find() (string, error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("these tests need Chromium: install it (on Debian and Ubuntu, apt-get install chromium), or name one in CHROMIUM")
}

// shmbench runs a command in the root of the module; it may exit with 1, if a property is
// violated.
func shmbench(t *testing.T, args ...string) string {
	t.Helper()
	return ran(t, "shmbench", args...)
}

// ran is shmbench of a program of any name.
func ran(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(dir, program), args...)
	cmd.Dir = root
	var out, diag strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &diag
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	require.NoError(t, err, "%v: %s", args, diag.String())
	return out.String()
}

// A made page is written once, for all tests.
type made func(t *testing.T) string

// once returns the page of a name that a command writes, given the files before it.
func once(name string, write func(t *testing.T, path string)) made {
	var do sync.Once
	return func(t *testing.T) string {
		t.Helper()
		path := filepath.Join(dir, name)
		do.Do(func() { write(t, path) })
		require.FileExists(t, path)
		return path
	}
}

// file returns what is written when a command prints it.
func file(name string, args ...string) made {
	return once(name, func(t *testing.T, path string) {
		require.NoError(t, os.WriteFile(path, []byte(shmbench(t, args...)), 0o666))
	})
}

// tab is an open page.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// open opens a page. That it says nothing on the console, throws nothing and asks for
// nothing but itself is looked at when the test ends.
func open(t *testing.T, path, fragment string, before ...chromedp.Action) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	var mu sync.Mutex
	var wrong []string
	note := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		wrong = append(wrong, fmt.Sprintf(format, args...))
	}
	address := "file://" + path
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			note("exception: %v", e.ExceptionDetails)
		case *runtime.EventConsoleAPICalled:
			note("console: %s %v", e.Type, e.Args)
		case *log.EventEntryAdded:
			note("log: %s %s", e.Entry.Text, e.Entry.URL)
		case *network.EventRequestWillBeSent:
			if e.Request.URL != address && !strings.HasPrefix(e.Request.URL, "blob:null/") { // a worker of the page's own
				note("request: %s", e.Request.URL)
			}
		}
	})
	t.Cleanup(func() {
		cancel()
		mu.Lock()
		defer mu.Unlock()
		require.Empty(t, wrong)
	})
	x := &tab{t, ctx}
	x.do(network.Enable(), log.Enable(), runtime.Enable())
	x.do(before...)
	x.do(chromedp.Navigate(address + fragment))
	return x
}

func (x *tab) do(actions ...chromedp.Action) {
	x.t.Helper()
	require.NoError(x.t, chromedp.Run(x.ctx, actions...))
}

// eval evaluates an expression.
func eval[T any](x *tab, expression string) (value T) {
	x.t.Helper()
	x.do(chromedp.Evaluate(expression, &value))
	return value
}

// text is the text of the first element of a selector.
func (x *tab) text(selector string) string {
	x.t.Helper()
	return eval[string](x, fmt.Sprintf("document.querySelector(%s).textContent", quote(selector)))
}

func (x *tab) click(selector string) {
	x.t.Helper()
	eval[bool](x, fmt.Sprintf("(document.querySelector(%s).click(), true)", quote(selector)))
}

// until waits until an expression is true.
func (x *tab) until(expression string) {
	x.t.Helper()
	x.do(chromedp.Poll(expression, nil))
}

func (x *tab) shot(name string) {
	x.t.Helper()
	if *shots == "" {
		return
	}
	var png []byte
	x.do(chromedp.CaptureScreenshot(&png))
	require.NoError(x.t, os.MkdirAll(*shots, 0o777))
	require.NoError(x.t, os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o666))
}

// onNew evaluates a script before those of the page.
func onNew(script string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	})
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string has a form
	}
	return string(text)
}
