package statement

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// practiceInGerman reads a German clause as [practiceOf] an English one: "wir stellen auf
// Fluent um", "Beträge führen wir in Cent", "die Suche bleibt in Postgres".
func practiceInGerman(clause string) practice {
	words := plainWords(clause)
	if len(words) < minPracticeWords {
		return noPractice
	}
	for i, w := range words[:min(len(words), maxBefore)] {
		switch {
		case w != "wir":
		case i == 0:
			return weInGerman(words[1])
		case strings.HasSuffix(words[i-1], "n") && i > 1:
			return weInGerman(words[i-1])
		default:
			return noPractice
		}
	}
	return arrangedAt(words, noGermanThings, germanArranged)
}

// weInGerman is how "we" do something by a verb.
func weInGerman(verb string) practice {
	if !strings.HasSuffix(verb, "n") || inSet(notDoneInGerman, verb) {
		return noPractice
	}
	return isDone
}

// practiceInSpanish reads a Spanish clause likewise: "lo cambiamos a NATS", "los eventos
// pasan a NATS". A verb of "we" is known by its ending.
func practiceInSpanish(clause string) practice {
	words := plainWords(clause)
	if len(words) < minPracticeWords {
		return noPractice
	}
	for i, w := range words[:min(len(words), maxSubject)] {
		ofUs := strings.HasSuffix(w, "amos") || strings.HasSuffix(w, "emos") || strings.HasSuffix(w, "imos")
		switch {
		case w == "si", w == "cuando", w == "que":
			return noPractice
		case ofUs && inSet(notDoneInSpanish, w):
			return noPractice
		case ofUs && i < 3:
			return isDone
		}
	}
	return arrangedAt(words, noSpanishThings, spanishArranged)
}

// arrangedAt reads what things do: behind a subject, a verb that tells where they are or how
// they are done.
func arrangedAt(words []string, noThings, verbs func() map[string]bool) practice {
	if inSet(noThings, words[0]) {
		return noPractice
	}
	for _, w := range words[1:min(len(words)-1, maxSubject+1)] {
		switch {
		case inSet(noThings, w):
			return noPractice
		case inSet(verbs, w):
			return isSo
		}
	}
	return noPractice
}

var (
	notDoneInGerman = lists.LazyWords(`haben hatten sind waren brauchen müssen können konnten sollten sollen könnten müssten wollen wollten würden wären hätten dürfen sehen sahen wissen wussten glauben denken finden fanden bekommen bekamen kriegen verlieren verloren warten hoffen kennen merken vermuten suchen versuchen testen verstehen reden sprechen diskutieren werden wurden fehlen sehen gehen davon dann wenn`)
	germanArranged  = lists.LazyWords(`bleibt bleiben kommt kommen gehört gehören läuft laufen liegt liegen wandert wandern zieht ziehen geht gehen lebt leben landet landen führt führen nutzt nutzen bekommt bekommen`)
	noGermanThings  = lists.LazyWords(`ich du er sie es ihr man wer was wo warum wieso wie wann ob wenn falls weil dass das dies hier da dort aber und oder nicht kein keine bitte kannst könntest würdest ist sind war waren hat haben vielleicht leider manchmal`)

	notDoneInSpanish = lists.LazyWords(`tenemos teníamos tendremos hemos habíamos podemos podríamos podamos debemos deberíamos queremos sabemos estamos estábamos vemos veíamos veremos necesitamos somos éramos fuimos perdimos creemos pensamos esperamos sentimos vamos íbamos encontramos conocemos hablamos discutimos probamos intentamos recibimos tuvimos vimos pudimos quisimos hicimos perdemos notamos`)
	spanishArranged  = lists.LazyWords(`pasa pasan queda quedan va van vive viven sale salen corre corren pertenece pertenecen usa usan lleva llevan valida validan guarda guardan`)
	noSpanishThings  = lists.LazyWords(`yo tú él ella ellos ellas usted qué quién dónde cuándo cómo por si cuando porque que esto eso aquí ahí pero y o no nunca quizás puedes podrías es son era está están hay ha han me te`)
)
