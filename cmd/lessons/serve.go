package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/serve"
)

type serveCommand struct {
	Port int `default:"0" help:"The port to listen on (default: a free one)."`
}

// Run serves until it is interrupted. Nobody but this machine reaches it.
func (c *serveCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port)))
	if err != nil {
		return withHint(err, "choose another port: lessons serve --port 0 takes a free one")
	}
	keep := func(name string, text []byte) string {
		file, _ := p.KeepTyped(name, text)
		return file
	}
	desk := p.Desk(ctx)
	handler, err := serve.New(listener.Addr().String(), desk, desk.Report, keep, rand.Reader)
	if err != nil {
		return err
	}
	inv.printf("Open this in a browser; it works once:\n\n  %s\n\nCtrl-C ends it. Nothing is committed.\n", handler.URL())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
