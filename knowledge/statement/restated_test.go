package statement

import "testing"

func TestRestates(t *testing.T) {
	for _, c := range []struct {
		rule, because, said string
		want                bool
	}{
		{"It's going to be SQS", "nobody wants to be paged for a Kafka broker", "We're on SQS for events, Kafka was turned down. Add a returns queue.", true},
		{"stay with CSS modules on the marketing site", "the designers edit the css files themselves", "rip tailwind out, for the marketing pages we write css modules", true},
		{"the lib crates get error enums via thiserror", "callers match on the variant", "ledger-import is a library, so it needs a typed thiserror enum", true},
		{"use slog instead of zap", "it is in the standard library", "slog please, and give it a JSON handler like zap had", true},
		{"Store amounts as integer cents", "floats lose cents", "Beträge auch hier als integer in cents, wie überall", true},
		{"缓存放 redis，不要放进程内存", "实例会重启", "缓存统一放 redis，过期时间一小时", true},
		{"flags are a YAML file in the repo", "a deploy to flip one is fine", "add checkout to the flags in the YAML file and open a PR", true},

		{"Use Faraday for HTTP", "users can swap adapters", "Add the DPD carrier, with a Faraday adapter like the GLS one.", true}, // goes by it
		{"Amounts are integer cents", "floats lose a cent", "You made refund_amount a decimal, it should be integer cents.", true}, // sets it right

		{"Amounts are integer cents", "floats lose a cent", "I'm starting to regret the cents, what would it take to move amounts to decimal?", false},
		{"Keep the index in SQLite", "anybody can open it", "From now on the index is rebuilt on every version bump, upgrading in place bit us.", false}, // something else about it
		{"use slog instead of zap", "it is in the standard library", "let's move from slog to zap, the handlers are faster", false},                      // the other way round
		{"use slog instead of zap", "it is in the standard library", "can you log the request id too", false},
		{"keep sqlite for the job queue", "one writer is enough", "is sqlite fast enough for the queue?", false},   // a question
		{"keep sqlite for the job queue", "one writer is enough", "drop sqlite for the queue", false},              // does away with it
		{"drop Windows support", "nobody uses it", "you may force-push here, nobody else uses that branch", false}, // common words of the reason
		{"keep sqlite for the job queue", "one writer is enough", "no sqlite for the queue please", false},
		{"keep sqlite for the job queue", "one writer is enough", "run the tests and fix the error in the test file", false},
	} {
		if got := Restates(Settled{Rule: c.rule, Because: c.because})(Said(c.said)); got != c.want {
			t.Errorf("%q again in %q: %v\n%v", c.rule, c.said, got, Said(c.said))
		}
	}
}
