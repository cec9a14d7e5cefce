// Package clock is time as a value.
package clock

import "time"

// Clock tells the time.
type Clock interface{ Now() time.Time }

// System is the machine's clock.
type System struct{}

func (System) Now() time.Time { return time.Now() }

// Fixed always tells the same time.
type Fixed time.Time

func (f Fixed) Now() time.Time { return time.Time(f) }
