package mcpserver

import (
	"bytes"
	"testing"
)

func TestAnswersAreVisible(t *testing.T) {
	var out bytes.Buffer
	message := `{"id":1,"result":{"text":"a\u001b[31mb\u202ec","list":["\u0007","<b>"],"n":12345678901234567890}}`
	if _, err := (visible{&out}).Write([]byte(message)); err != nil {
		t.Fatal(err)
	}
	want := `{"id":1,"result":{"list":["","<b>"],"n":12345678901234567890,"text":"a[31mbc"}}` + "\n"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, err := (visible{&out}).Write([]byte("no JSON")); err == nil {
		t.Error("what is no message was written")
	}
}
