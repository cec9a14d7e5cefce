package main

import "testing"

// TestWithdrawal plays the cases of testdata/withdrawal: what becomes of lessons
// when calls that they match succeed, what people and clones add to that.
func TestWithdrawal(t *testing.T) { playCases(t, "testdata/withdrawal") }
