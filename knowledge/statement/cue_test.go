package statement

import "testing"

// What is asked about holds a cue, in every language: the cues only save time.
func TestWhatIsAskedAboutHoldsACue(t *testing.T) {
	for _, message := range []string{
		"from now on run make fmt before you commit", "we use pnpm, not npm", "Never push directly to main.", "remember that staging has no email",
		"add to CLAUDE.md that we squash merge", "when you touch the handlers, also change openapi.yaml", "don't amend commits again", "amounts must be integer cents",
		"that is wrong, the port is 5433", "Every migration needs a down script.", "ask me before deleting branches", "before you open a PR, run the linter", "you forgot the changelog entry",
		"Ab jetzt immer pnpm benutzen, nicht npm", "Merk dir, dass Staging keine Mails verschickt", "Wir nehmen hier überall slog, kein zap", "Das stimmt nicht, der Port ist 5433", "Alle Beträge müssen Cents sein",
		"A partir de ahora usa siempre pnpm", "Recuerda que staging no envía correo", "Nunca hagas push a main", "Eso está mal, el puerto es 5433", "Todos los importes deben ser enteros",
		"以后在这个仓库里用 pnpm，不要用 npm。", "记住：金额都用整数分", "今後はpnpmを使ってください。npmは使わないで。", "コミットは必ず署名すること",
	} {
		if asked := Asks(message); len(asked) == 0 {
			t.Errorf("%q: a cue is %v, asked is %v", message, holdsCue(message), asked)
		}
	}
	for _, message := range []string{"", "stop", "please fix the build", "Look at src/api and see how its tests are set up", "Baue die neue Route ein", "Arregla el build por favor"} {
		if holdsCue(message) {
			t.Errorf("%q holds a cue", message)
		}
	}
}
