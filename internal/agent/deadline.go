package agent

import "time"

// HookDeadline is how long a hook may take, in all. The limits of its parts are shares
// of it. It is a second, or what [DeadlineVariable] says: on a machine under load, and
// in tests, nothing is to be cut short.
func HookDeadline(env func(string) string) time.Duration {
	const usual = time.Second
	if d, err := time.ParseDuration(env(DeadlineVariable)); err == nil && d > usual {
		return min(d, time.Minute)
	}
	return usual
}

// DeadlineVariable is the environment variable that gives hooks more time, such as 5s.
const DeadlineVariable = "LESSONS_HOOK_DEADLINE"
