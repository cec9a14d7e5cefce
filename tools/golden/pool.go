package main

import (
	"errors"
	"sync"
)

// pool runs jobs beside one another, a few at a time.
type pool struct {
	slots chan struct{}
	jobs  sync.WaitGroup
	mu    sync.Mutex
	errs  []error
}

func newPool(size int) *pool { return &pool{slots: make(chan struct{}, size)} }

func (p *pool) do(job func() error) {
	p.jobs.Go(func() {
		p.slots <- struct{}{}
		defer func() { <-p.slots }()
		if err := job(); err != nil {
			p.mu.Lock()
			p.errs = append(p.errs, err)
			p.mu.Unlock()
		}
	})
}

func (p *pool) wait() error {
	p.jobs.Wait()
	return errors.Join(p.errs...)
}
