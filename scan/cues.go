package scan

import (
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// How a sentence of a person stands to what the agent did.
const (
	rebuke automata.Members = 1 << iota
	anger
	doubt
	preference
	comparison
	observation
	confirmation
	confirmationTag
	swapWords
)

// What it says of its state.
const (
	breakage automata.Members = 1 << iota
	negation
	subjectWords
	unwanted
	pastedLine
)

// How it begins.
const (
	repairOrder automata.Members = 1 << iota
	doingQuestion
	explanation
	politeOrder
	imperative
	wish
	inquiry
)

// What a message can hold.
const (
	acceptance automata.Members = 1 << iota
	retraction
	exploration
	redoOrder
	planHeading
)

// speechPatterns are compiled on first use. Sets hold what is asked of every
// sentence and message. What reaches far within one is no member of a set: it would
// multiply the states of all others.
type speechPatterns struct {
	stance, trouble, opening, message *automata.Set

	emphatic, preferring, sinceBefore, inquiring *automata.Pattern // that reach far
	opener, contrast, denial, turn, item         *automata.Pattern
	broken, negated, subject, wants              *automata.Pattern // of a sentence, but for some words
	approves, affirms, pasted, offers            *automata.Pattern
	goesOn, asks, settles, clarify               *automata.Pattern
}

const (
	// verbs that ask for something new at the beginning of a sentence.
	orderVerbs = `add|adapt|adjust|allow|announce|append|apply|ask|build|bump|change|check|clean|close|collect|combine|commit|compare|configure|connect|continue|convert|copy|create|debug|define|delete|deploy|describe|design|disable|display|do|document|` +
		`draft|draw|drop|email|enable|ensure|explain|export|extend|extract|fetch|find|finish|format|generate|get|give|go on|handle|have|help|hide|implement|import|improve|include|increase|insert|install|integrate|introduce|investigate|iterate|link|lint|list|` +
		`log|look|make|mention|merge|migrate|mock|move|name|open|optimi[sz]e|plan|polish|port|prepare|print|profile|publish|pull|push|put|read|rebase|record|redo|reduce|refactor|release|remind|remove|rename|render|replace|reply|report|research|resolve|resume|return|review|` +
		`rewrite|run|save|schedule|search|see|send|set|show|simplify|skip|sort|split|start|store|submit|summari[sz]e|support|switch|tag|tell|test|translate|trigger|try|turn|update|upgrade|upload|use|validate|verify|wait|walk|warn|wire|work|wrap|write|think|take|let|break it|break them`
	// words with which messages begin and that say little by themselves.
	fillers = `ok(?:ay)?|k|yes|yeah|yep|yup|well|so|and|but|hmm+|hm|mh+m?|ah+|oh+|also|please|pls|plz|hey|hi|actually|wait|sorry|thanks|thank you|alright|right|now|then|no|nope|nah|hold on|hang ?on|stop for a second|stop|just|again|next|finally|first|great|cool|nice|ugh|oops|huh`
)

var personPatterns = sync.OnceValue(func() *speechPatterns {
	const (
		broken = `(?i)\bfail(?:s|ed|ing|ures?)?\b|\berror(?:s|ed)?\b|\bexceptions?\b|\bcrash(?:es|ed|ing)?\b|\bbroke\b|\bbroken\b|\bbreaks?\b|\bpanics?\b|\bhangs?\b|\bstuck\b|\bfr[eo]+z\w+|\bbug(?:gy|s)?\b|\bglitch\w*|\bregress\w+|\bcorrupt(?:ed)?\b|\bgarbled\b|\binvisible\b|\bmissing\b|\bgone\b|\blost\b|\bwrong\b|\bincorrect\b|\bduplicate[sd]?\b|\bswapped\b|\boff by\b|\boverlaps?\b|\boverwrites?\b` +
			`|\bleak(?:s|ed|ing)?\b|\bslower\b|\bworse\b|\b50[0-4]\b|\b40[0-9]\b|\btime(?:s|d)? ?out\b|\bdenied\b|\brefused\b|\bmess(?:ed|es)? up\b|\bstill\b|\bwarnings?\b|\brejected\b|\bdisappear\w*|\bunexpected\w*|\bproblem:|\b(?:poor|terrible|horrible|awful|sloppy|useless|unacceptable|disappointing|unusable)\b|\b(?:is|are|looks?) (?:really |very |so )?bad\b|\bnegative\b|\bflicker\w*|\bclobber\w*|\bkaputt\b|\bfehl(?:t|er|schl\w+)\b|\bgeht (?:immer noch )?nicht\b|\bfunktioniert nicht\b|\bno funciona\b|\bsigue fallando\b|\berror\b|\btodav[ií]a no\b|\ba[uú]n no\b|\bne (?:marche|fonctionne) pas\b|\bmarche pas\b|\bnão (?:funciona|está|é)\b|\bainda (?:não|está)\b|\btoujours (?:pas|la même)\b|\berreur\b|\bimmer noch\b|\bfehler\b|\bancora non\b|\berrore\b|ошибк|до сих пор|всё ещё|все еще|\bcontinua quebrad\w+|\bquebrad[oa]\b|\bnon funziona\b|\bне работает\b|まだ|直っていません|动不了|不工作|失败|错误|錯誤|报错|不行|还是(?:一样|不|没|有)|依然|仍然|没有(?:生效|变化|解决)|エラー|動かない|動きません|おかしい|違います|여전히|오류|안 되|안 돼`
		negated = `(?i)\b(?:does|do|did|is|are|was|were|has|have|wo|would|could|ca)n'?t\b|\b(?:does|did|is|are|was|were|has|have|can|could|would|will) not\b|\bcannot\b|\bno longer\b|\bnone\b|\bnothing\b|\bthere(?:'s| is| are) (?:no|not)\b|\bonly has\b|\bist (?:\w+ )?nicht\b`
		subject = `(?i)\b(?:bug|error|issue|failure|warning|exception|crash|status|problem)s? (?:report|form|template|message|handl\w+|code|page|type|case|log|field|text|state|boundar\w+|path|track\w+|fix|statement|class|budget|rate|list)\w*`
		wants   = `(?i)\b(?:i|we) (?:do|would|wo|did|could|ca)(?:n'?t| not) (?:want|like|need|use|have to|recall|remember|know|think|mind|care|wait|understand|get|follow)\b`
		pasted  = `(?i)\b(?:[A-Z]\w*(?:Error|Exception)\b:|error(?:\[\w+\])?: |fatal(?: error)?: |panic: |traceback \(most recent|undefined: |segmentation fault|exit(?:ed)?(?: with)? (?:code|status) [1-9]|cannot (?:use|find|assign|resolve|patch|read propert\w+)|could not (?:resolve|find|compile)|execution failed|unexpectedly found nil|no such file|command not found|✖ \d+ problem)`
	)
	return &speechPatterns{
		stance: automata.NewSet(map[automata.Members]string{
			rebuke: `(?i)\bi (?:(?:have |had )?\w+ )?(?:said|told|asked|meant|mentioned)\b|\bi wanted (?:it|the|a|an|you)\b|\b(?:as|like) i (?:said|mentioned|wrote|asked|explained)\b|\bmy point\b|\bwhat i (?:mean|meant|said|want(?:ed)?) (?:is|was)\b` +
				`|\bwhy (?:did|are|do|would|have|were|didn't|aren't|don't|haven't) you\b|\bare you sure\b|\b(?:did|have|had) you (?:even|really|actually|made?|invent\w*|test(?:ed)?|measured?|forg[eo]t\w*)\b|\b(?:make|made|making|invent\w*) (?:it|that|this|them) up\b|\bwhat do you mean\b|\bwhat are you doing\b` +
				`|\byou (?:just |also |literally |already |still |have |had |even |'ve |accidentally )*(?:forgot|missed|broke|removed|deleted|dropped|lost|overwr\w+|ignored|skipped|invented|misunder\w+|misread|counted|shouldn'?t|should not|should have|were supposed|were told|didn'?t|did not|can'?t|cannot|haven'?t|hardcoded|duplicated|fixed (?:only|just|the)|only)\b` +
				`|\b(?:that|this|it|which|they|these|those)(?:'s|s|'re| is| are| was| were)? (?:just |still |simply |plain |completely |totally |all )*(?:wrong|incorrect|false|nonsense|not (?:it|true|right|correct|sufficient|good enough|what|how|the (?:case|point|problem|issue|same)|enough))\b` +
				`|\b(?:isn'?t|wasn'?t|aren'?t) (?:true|right|correct|what|how|the (?:case|point|problem|issue|same))\b|^wrong\b|\b(?:does not|doesn'?t) (?:really )?make (?:any |a lot of |much )?sense\b|\bnot what (?:the|i|we|was|it) |\bsays the opposite\b|\bdisagrees?\b|\b(?:don'?t|do not) think (?:that|this|it|so)\b` +
				`|^(?:undo|revert|restore|roll (?:it|that|this|everything) back|go back to|put (?:it|that|them) back)\b|\bgo back to\b|[🤦🙄😤😡🤨]|\b(?:das )?stimmt nicht\b|不对|錯了|错了|\bc'est faux\b|\bno es (?:cierto|correcto|así)\b|\best(?:á|a) mal\b`,
			anger: `(?i)\b(?:fuck\w*|wtf|ffs|bullshit|damn(?:ed|it)?|the hell|ridiculous|a joke|lazy|come on|seriously|for the (?:second|third|last|hundredth) time)\b`,
			doubt: `(?i)\bwhy (?:is|does|did|was) (?:the |this |your )?(?:sub-?\s?)?(?:agent|assistant|model|bot|tool|script|claude|codex|gemini)\b|\b(?:weird|strange|odd|suspicious|fishy)\b`,
			preference: `(?i)\binstead\b|\brather than\b|\bnot (?:in|with|from|globally|every|all|the|a|an|as)\b|\bnot \w+[.!]*$|^(?:don'?t|do not|never|stop|leave|no|keep)\b|\bplease,? (?:no|don'?t|do not|never|stop|only)\b` +
				`|\bwe (?:don'?t|do not|never|always|only|use)\b|\b(?:all|every one) of (?:our|us|them)\b|\bour \S+ (?:all |always |never )|\b(?:way )?too (?:much|many|long|short|noisy|complex|complicated|verbose|formal|big|small|slow|wide|broad|strict|generic|clever)\b|\bunreadable\b|\boverkill\b|\b(?:scope|limit|restrict|narrow) (?:it |this |that )?(?:down )?to\b|\bwe already (?:have|had|do|use)\b|\bmust not\b|\bmustn'?t\b|\bshouldn'?t\b|\bshould not\b|\bshould have\b|\bwas supposed to\b|\bhave to be\b`,
			comparison:      `(?i)\bthe same\b|\bas before\b|\bsince (?:your|the|this|that)\b|\bafter (?:your|the|this|that)\b|\bbecause of (?:it|that|this|your)\b|\bnow (?:i|it|the|everything|every)\b|\bbecame\b|\bin any case\b|\bthere(?:'s| is| are) already\b|\balready (?:have|has|exists?|there|fixed|done|got|in)\b`,
			observation:     `(?i)\bi (?:just |only |also |jsut |had |have )*(?:ran|run|tried|tested|checked|built|looked|noticed|see|saw|get|got|found|opened|verified|measured|profiled)\b|\bit is (?:declared|defined|called|set)\b|\b(?:look|looking) at the\b|\bthe (?:docs?|spec|readme|manual|header|log|logs) says?\b|\baccording to\b`,
			confirmation:    `(?i)\b(?:am i|is that|is it|that'?s) (?:right|correct|true)\b|\bam i (?:interpret|understand|assum)\w*`,
			confirmationTag: `(?i)[,.;)] ?(?:right|correct|ok|yes|no|or|isn'?t it|doesn'?t it|don'?t they|wouldn'?t it) ?\?+\s*$`,
			swapWords:       `(?i)\binstead\b|\brather than\b`,
		}),
		trouble: automata.NewSet(map[automata.Members]string{
			breakage:     broken,
			negation:     negated,
			subjectWords: subject,
			unwanted:     wants,
			pastedLine:   pasted,
		}),
		opening: automata.NewSet(map[automata.Members]string{
			repairOrder:   `(?i)^(?:can you |could you )?(?:please |pls )?(?:fix|repair|correct|solve|resolve) (?:this|that|it|these|those|the)\b`,
			doingQuestion: `(?i)^do (?:we|you|they|i|these|those|the \w+ (?:even|actually|really))\b`,
			explanation:   `(?i)^(?:(?:can|could|would|will) you (?:please |first |maybe |just |also )*)?(?:explain|explan|tell me|describe|clarify|remind me|walk me through|show me (?:how|what|why)|help me understand|elaborate|give me (?:an? )?(?:overview|explanation))\b`,
			politeOrder:   `(?i)^(?:(?:can|could|would|will) (?:you|we|u|it|this|the|scope|limit|just|also|skip|use|make|be)\b|would you mind|do you mind|you (?:can|could|may|should)\b)`,
			imperative:    `(?i)^(?:` + orderVerbs + `)\b`,
			wish: `(?i)^(?:let'?s|let us|i(?:'d| would)? (?:want|need|like|love|prefer|wish)\b|i have another|we (?:need|should|want|could|can)\b|there should be|how about|what about|it would be|one more|the (?:\S+ ){1,5}(?:should|needs?|must)(?: also)? (?:be|have|include|show|return|say|support|warn|use|look|a|an|to)\b|and (?:with|for|in) |in (?:the|our) \S+, (?:write|say|add)|since (?:yesterday|last)\b|` +
				`(?:should|needs? to) (?:match|be|also)|(?:it|this|that|they|he|one) should (?:also |then |only |always )?(?:handle|be|[b-gi-mo-z]\w+)|(?:now|next|then)[:,]? )`,
			inquiry: `(?i)^(?:why|what|when|where|which|who|whose|how|is|are|was|were|does|do|did|can|could|would|should|will|has|have|am|wondering|i'?m (?:\w+ )?wondering|i wonder|curious|any idea|remind me)\b`,
		}),
		message: automata.NewSet(map[automata.Members]string{
			acceptance:  `(?i)\b(?:it'?s|that'?s|that is|it is|should be|looks|is) (?:all |totally |perfectly )?(?:fine|ok|okay|good|great)\b`,
			retraction:  `(?i)\bi (?:was|am|'m) (?:mistaken|wrong|confused)\b|\bmy (?:mistake|bad|fault)\b|\bignore (?:that|me|my last)\b|^\W*(?:oh\W+)?oops\b`,
			exploration: `(?i)\bis there (?:(?:an)?other|a|any|some(?:thing)?|no)\b.*\b(?:way|option|alternative|tool|method|approach)|\balternatives?\b|\bother (?:options?|ways?)\b|\bwhat else\b|\bpros and cons\b`,
			redoOrder:   `(?i)\b(?:again|redo|re-?run|once more|re-?try|repeat|re-?do)\b`,
			planHeading: `(?i)^\s*(?:implement the following plan|# plan|plan:)`,
		}),

		emphatic:    automata.New(`(?i)\b(?:do|does|did|are|is|was|were|have|has|can)\b.*\b(?:even|actually|really)\b`),
		preferring:  automata.New(`(?i), ?not \S+(?: \S+){0,3}[.!]*$|\bno (?:more )?\S+(?: \S+)?,? please\b|^(?:\S+ ){1,4}first\b`),
		sinceBefore: automata.New(`(?i)\bbefore\b.*\?$`),
		inquiring:   automata.New(`(?i)[,;:—–-] ?(?:so |then )?(?:what|how|why|which|where|when|who|whether)\b[^.]*\?$|[,;:—–-] ?(?:so |then )?(?:can|could|is it|are there|should|would|do we|does it)(?: \S+){3,}\?$|^(?:is|are|was|were|does|do|did|ca|could|would|should|wo|has|have)n'?t\b.*\?$`),
		opener:      automata.New(`(?i)^(?:\s*(?:(?:` + fillers + `)(?:[\s,.!:;?—–-]+|$))+|\s+)`),
		contrast:    automata.New(`(?i)\b(?:but|hmm+|hm|wait|actually|sorry|hold on|hang ?on|stop|oh|ah|huh|ugh)\b`),
		denial:      automata.New(`(?i)\b(?:no|nope|nah)\b`),
		item:        automata.New(`(?i)^(?:\d{1,2}[.)]|[-*•+]|[a-e][.)])\s`),
		turn:        automata.New(`(?i)\b(?:but|however|except|though|although|only that|one thing)\b`),
		broken:      automata.New(broken),
		negated:     automata.New(negated),
		subject:     automata.New(subject),
		wants:       automata.New(wants),
		pasted:      automata.New(pasted),
		approves:    automata.New(`(?i)^\W*(?:(?:ok(?:ay)?|yes|yeah|oh|ah|and|wow|no)[\s,.!]+)*(?:thanks|thank you|thx|great|perfect|awesome|excellent|nice|cool|good|lgtm|looks good|sounds good|works|that works|it works|not bad|interesting|i like|love it|got it|makes sense|understood|fine|no problem|no worries|no need|no rush|never mind|nevermind|not yet|super|wow|amazing|beautiful|exactly|agreed|ship it|that'?s all|danke|gracias|merci|obrigad\w|谢谢|ありがとう)\b`),
		offers:      automata.New(`(?i)\?[*_)\s]*\n+(?:\s*(?:[-*•]|\d+[.)]|[a-d][.)])\s.*\n*)+\s*$`),
		affirms:     automata.New(`(?i)^\W*(?:yes|yeah|yep|yup|sure|ok(?:ay)?)\b`),
		goesOn: automata.New(`(?i)^(?:(?:oh|ah|ok|okay|yes|yeah|sure|sorry|thanks|thank you|please|pls|and|now|just|by accident|my bad|oops|misclick\w*|wrong (?:window|key|button|click))[\s,.!:-]*)*` +
			`(?:go on|go ahead|continue|carry on|proceed|keep going|resume|try again|retry|yes|ok|okay|sorry|done|next)?[\s,.!]*(?:please|pls|with (?:it|that|the plan))?[\s.!]*$`),
		asks: automata.New(`(?i)\?\s*$|^(?:(?:and|but|so|hmm|ok|wait)[\s,]+)*(?:why|what|when|where|which|who|how|is|are|was|were|does|do|did|can|could|would|should|will|has|have)\b[^.!]*\?`),
		settles: automata.New(`(?i)\b(?:don'?t|do not|never|always|stop|instead|rather|must(?:n'?t)?|should(?:n'?t)?|need to|needs to|have to|use|want|prefer|keep|remove|leave|avoid|no need|not? (?:like|that)|` +
			`make (?:it|sure)|rename|move|revert|undo|only|without)\b`),
		clarify: automata.New(`(?i)wants to clarify|has questions? about`),
	}
})
