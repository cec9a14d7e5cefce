package merge

import (
	"context"
	"errors"
	"testing"
)

func TestAMergeEndsWhenItIsInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	goesOn := make(chan struct{})
	defer close(goesOn)
	err := Until(ctx, func() {
		stop()
		<-goesOn
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	done := false
	if err := Until(t.Context(), func() { done = true }); err != nil || !done {
		t.Errorf("%v, done: %v", err, done)
	}
}
