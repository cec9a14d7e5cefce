package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What earlier lines said changes nothing about how a line is read.
func TestLinesAreReadAloneAsTheyAreInAFile(t *testing.T) {
	member := rapid.Custom(func(t *rapid.T) string {
		key := rapid.SampledFrom([]string{"isSidechain", "agentId", "cwd", "sessionId", "version", "gitBranch", "userType", "slug", "parentUuid", "requestId", "uuid", "timestamp", "type", "x"}).Draw(t, "key")
		value := rapid.SampledFrom([]string{`"a"`, `"b"`, `""`, `"a\u0062"`, `true`, `false`, `1`, `12`, `null`, `{"cwd":"in"}`, `[`, `"`, ``}).Draw(t, "value")
		space := rapid.SampledFrom([]string{"", "", "", " "})
		return fmt.Sprintf(`%s%q%s:%s%s%s`, space.Draw(t, "before"), key, space.Draw(t, "colon"), space.Draw(t, "value"), value, space.Draw(t, "behind"))
	})
	object := rapid.Custom(func(t *rapid.T) string {
		return "{" + strings.Join(rapid.SliceOfN(member, 0, 8).Draw(t, "members"), ",") + rapid.SampledFrom([]string{"}", "}", "", ",}"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		objects := rapid.SliceOfN(object, 1, 3).Draw(t, "objects")
		var h habits
		for range 6 {
			raw := rapid.SampledFrom(objects).Draw(t, "line")
			one, other := entry{}, entry{habit: &h}
			c, d := cursor{b: []byte(raw)}, cursor{b: []byte(raw)}
			whole := one.read(&c)
			if other.read(&d) != whole || c.i != d.i {
				t.Fatalf("%s: alone it is whole: %v", raw, whole)
			}
			one.habit, other.habit = nil, nil
			if diff := cmp.Diff(fmt.Sprintf("%+v", one), fmt.Sprintf("%+v", other)); diff != "" {
				t.Fatalf("%s:\n%s", raw, diff)
			}
		}
	})
}

// Two stretches of a line add up to what one would say, also where it says a thing
// twice.
func TestWhatALineSaysTwiceAddsUp(t *testing.T) {
	var h habits
	for _, line := range []string{`{"agentId":"ab","x":"a"}`, `{"agentId":"ab","agentId":""}`} {
		one, other := entry{}, entry{habit: &h}
		one.read(&cursor{b: []byte(line)})
		other.read(&cursor{b: []byte(line)})
		if one.agent != "ab" || other.agent != "ab" {
			t.Errorf("%s: agent %q alone, %q in a file", line, one.agent, other.agent)
		}
	}
}
