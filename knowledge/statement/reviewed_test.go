package statement

import (
	"strings"
	"testing"
)

// What reviewers say of all changes, and what they say of the one before them.
func TestReviewed(t *testing.T) {
	for _, e := range []example{
		{"We don't use `reflect` in internal/codec/, it is ten times slower.", []string{"We don't use `reflect` in internal/codec/"}},
		{"nit: we name booleans isX here, not flagX", []string{"we name booleans isX here, not flagX"}},
		{"Don't call `panic` in this package. The callers are goroutines without a recover.", []string{"Don't call `panic` in this package"}},
		{"Public functions need a doc comment with an example.", []string{"Public functions need a doc comment with an example"}},
		{"Rule of thumb: if it talks to S3 it lives in `storage/`.", []string{"if it talks to S3 it lives in `storage/`"}},
		{"Handlers that write need to take the `Tx`, otherwise we get half an order.", []string{"Handlers that write need to take the `Tx`"}},
		{"PRs without a changelog entry don't get merged.", []string{"PRs without a changelog entry don't get merged"}},
		{"Please always pass the context down to the store:\n```go\nfunc Load(ctx context.Context, id string)\n```", []string{"always pass the context down to the store"}},
		{"As decided in the architecture meeting, services talk over gRPC, not over the database.", []string{"services talk over gRPC, not over the database"}},
		{"Can we all agree that a flag without an owner gets removed?", []string{"a flag without an owner gets removed"}},
		{"Generated files are off limits, change the template.", []string{"Generated files are off limits, change the template"}},
		{"For future reference: dates go through `formatDate`.", []string{"dates go through `formatDate`"}},
		{"Wie im Teamtreffen vereinbart, neue Endpunkte liefern Problem-JSON.", []string{"neue Endpunkte liefern Problem-JSON"}},

		{"Don't return here, because the mutex is still locked.", nil},
		{"Let's use a map here because the list gets long.", nil},
		{"Don't we always close the body?", nil},
		{"This must be `>=`.", nil},
		{"Please add a test for the empty list.", nil},
		{"Use `errors.Join` here instead.", nil},
		{"All tests pass now, thanks!", nil},
		{"Everything looks good to me.", nil},
		{"As agreed, please split this into two PRs.", nil},
		{"nit, feel free to ignore: we always sort imports", nil},
		{"Never mind, we always close it in the caller.", nil},
		{"We should always close the body. Scratch that, the client does it.", nil},
		{"Sure, we never test on Fridays /s", nil},
		{"> We never use `any`.\n\nWhere does this come from?", nil},
		{"```suggestion\n// never return nil here\n```", nil},
		{"Could you rename this to `pending`?", nil},
		{"I never saw that before, nice!", nil},
		{"Does every new handler need a test?", nil},
		{"The old service always returned 500 in this case.", nil},
	} {
		var got []string
		for _, s := range Reviewed(e.message) {
			got = append(got, s.Rule)
		}
		if strings.Join(got, "|") != strings.Join(e.want, "|") {
			t.Errorf("%q\n got %q\nwant %q", e.message, got, e.want)
		}
	}
}
