package statement

import (
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

// A hook reads prompts in a process of its own, where preparing the tables of a language
// takes longer than all the rest. So it first looks for plain words, without one of which
// no table finds anything that is asked about.

// minAsked is how long a message must be, in bytes, to say something that a stranger
// could follow.
const minAsked = 16

// cueWords are parts of words, in lower case, of Latin languages; "_" stands for a blank.
const cueWords = `
	remember mind forget note memor reminder .md rule instructions convention policy standard agreement by_default
	now_on here_on forward henceforth future next_time time_you time_we whenever when_you when_we always never ever_ again anymore any_more longer
	every_ circumstances all_times must shall has_to have_to needs_to may_ only allowed forbidden required limits mandatory no_more ask_me ask_us ask_first ask_before before_you before_commit before_push before_merg before_releas before_deploy before_open
	we_ this_repo this_project this_codebase instead not_ n't dont_ do_not_ rather wherever here_too like_the_rest wrong incorrect false nonsense no, no. nope nah, stop wait, wait. hold_on hmm undo revert restore
	why_did why_are why_do why_would why_have said told_you asked meant forgot missed broke removed deleted dropped ignored skipped invented misunder misread supposed should hardcoded duplicated too_ overkill
	ab_jetzt ab_sofort ab_heute ab_nun jetzt_an nun_an zukunft künftig jedes_mal immer nächste grundsätzlich regel konvention vereinbarung nie niemals nicht kein merk denk vergiss notier beachte halte_fest schreib gedächtnis
	muss müssen soll darf dürfen gehör verboten tabu pflicht wir_ bei_uns statt nein, nee stopp halt warte falsch quatsch moment warum gesagt gemeint vergessen übersehen kaputt gelöscht rückgängig sondern viel_zu wenn_
	ahora desde adelante futuro sucesivo próxima cada siempre nunca jamás jamas más convenci norma política recuerda recordad acuérdate cuenta olvides apunta anota memoria
	debe tiene_que tienen_que hay_que prohibid usamos utilizamos este_repo este_proyecto nuestro lugar_de vez_de no_ espera, mal, está_mal esta_mal incorrecto cierto por_qué te_dije deshaz revierte sino demasiado cuando_ si_ todos todas`

var cues = sync.OnceValue(func() []string {
	return strings.Split(strings.ReplaceAll(strings.Join(strings.Fields(cueWords), "\n"), "_", " "), "\n")
})

// holdsCue says whether a message may hold something that is asked about. Of Chinese and
// Japanese, where no blanks part words, any text may.
func holdsCue(message string) bool {
	if strings.ContainsFunc(message, weigh.IsDense) {
		return true
	}
	message = strings.ToLower(message) + " "
	return len(message) > minAsked && slices.ContainsFunc(cues(), func(cue string) bool { return strings.Contains(message, cue) })
}
