package lesson

import "testing"

func TestCanonicalTrigger(t *testing.T) {
	if CanonicalTrigger(nil) != "" || CanonicalTrigger(&Trigger{Unless: []string{"-x"}}) != "" {
		t.Error("an empty trigger declares something")
	}
	hard := CanonicalTrigger(&Trigger{Paths: []string{"b/**", "a/**"}, Keywords: []string{"deploy"}})
	if hard != CanonicalTrigger(&Trigger{Paths: []string{"a/**", "b/**", "a/**"}, Keywords: []string{"ship"}}) {
		t.Error("order, repetition or keywords count beside a hard slot")
	}
	if CanonicalTrigger(&Trigger{Keywords: []string{"Deploy"}}) != CanonicalTrigger(&Trigger{Keywords: []string{"deploy "}}) {
		t.Error("the case of keywords counts")
	}
	if CanonicalTrigger(&Trigger{Tools: []string{"a"}}) == CanonicalTrigger(&Trigger{Commands: []string{"a"}}) {
		t.Error("slots are mixed up")
	}
}
