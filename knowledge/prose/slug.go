package prose

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge"
)

// maxSlug is the greatest length of a slug in bytes.
const maxSlug = 50

// Slug turns a title into a name for a file or folder: lower-case ASCII letters
// and digits joined by single hyphens, at most 50 bytes, never empty, never a
// name that Windows reserves. Equal titles have equal slugs; the slug of a slug
// is itself. A title of which nothing can be written in ASCII is named by a
// digest of its text.
func Slug(title string) string {
	var b strings.Builder
	gap, clause := false, 0
	for i, r := range title {
		part := asciiOf(r)
		if part == "" {
			gap = gap || !isMark(r)
			if (strings.ContainsRune(",;:.!?", r) && strings.HasPrefix(title[i+1:], " ") || r == '(') && b.Len() <= maxSlug {
				clause = b.Len()
			}
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteString(part)
		if b.Len() > 4*maxSlug {
			break
		}
	}
	slug := cutSlug(b.String(), clause)
	switch {
	case slug == "":
		return "note-" + knowledge.Digest("", 8, "slug", title)
	case reservedName(slug):
		return slug + "-note"
	}
	return slug
}

// cutSlug shortens a slug where a clause of the title ends, else at a hyphen before which no
// word stands that wants another behind it, or within the word when the first one alone is
// too long.
func cutSlug(slug string, clause int) string {
	if len(slug) <= maxSlug {
		return slug
	}
	if clause >= maxSlug/2 {
		return strings.TrimRight(slug[:clause], "-")
	}
	cut := slug[:maxSlug]
	if slug[maxSlug] != '-' {
		if i := strings.LastIndexByte(cut, '-'); i >= maxSlug/2 {
			cut = cut[:i]
		}
	}
	for i := strings.LastIndexByte(cut, '-'); i >= maxSlug/2 && leading()[cut[i+1:]]; i = strings.LastIndexByte(cut, '-') {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, "-")
}

// leading are words that mean nothing without those behind them.
var leading = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(`a an the this that these those its our your my their every each any some no not never only also
		and or but nor so than as if when where while because since unless until before after which who whose what how why
		of in on at to for with by from into onto over under per via without within between against about through during instead rather
		is are was were be been being am do does did dont doesnt have has had can cant cannot could will would should shall must may might
		it we you they i there then use very more most less just`) {
		words[word] = true
	}
	return words
})

// reservedName says whether Windows keeps the name for a device.
func reservedName(slug string) bool {
	switch slug {
	case "con", "prn", "aux", "nul", "conin", "conout", "clock":
		return true
	}
	if len(slug) == 4 && (strings.HasPrefix(slug, "com") || strings.HasPrefix(slug, "lpt")) {
		return slug[3] >= '0' && slug[3] <= '9'
	}
	return false
}

// isMark says whether the rune only decorates the letter before it.
func isMark(r rune) bool {
	return (r >= 0x300 && r <= 0x36f) || r == '\'' || r == 0x2019 || r == 0x200d || r == 0xfe0f
}

// asciiOf writes a rune in lower-case ASCII letters and digits; the empty text
// means that it separates words.
func asciiOf(r rune) string {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return string(r)
	case r >= 'A' && r <= 'Z':
		return string(r + 'a' - 'A')
	case r < utf8.RuneSelf:
		return ""
	}
	for _, f := range folds {
		if strings.ContainsRune(f.runes, r) {
			return f.ascii
		}
	}
	return ""
}

// folds lists letters that European languages write beside the ASCII ones.
var folds = [...]struct{ ascii, runes string }{
	{"a", "àáâãåāăąǎȁȃạảấầẩẫậắằẳẵặÀÁÂÃÅĀĂĄǍȀȂẠẢẤẦẨẪẬẮẰẲẴẶªаА"},
	{"ae", "äæÄÆ"},
	{"b", "бБ"},
	{"c", "çćĉċčÇĆĈĊČ"},
	{"ch", "чЧ"},
	{"d", "ďđðĎĐÐдД"},
	{"e", "èéêëēĕėęěẹẻẽếềểễệÈÉÊËĒĔĖĘĚẸẺẼẾỀỂỄỆеЕэЭё"},
	{"f", "фФ"},
	{"g", "ĝğġģĜĞĠĢгГ"},
	{"h", "ĥħĤĦхХ"},
	{"i", "ìíîïĩīĭįıỉịÌÍÎÏĨĪĬĮİỈỊиИйЙ"},
	{"j", "ĵĴ"},
	{"k", "ķĶкК"},
	{"l", "ĺļľŀłĹĻĽĿŁлЛ"},
	{"m", "мМ"},
	{"n", "ñńņňŉŋÑŃŅŇŊнН"},
	{"o", "òóôõøōŏőơọỏốồổỗộớờởỡợÒÓÔÕØŌŎŐƠỌỎỐỒỔỖỘỚỜỞỠỢºоО"},
	{"oe", "öœÖŒ"},
	{"p", "пП"},
	{"r", "ŕŗřŔŖŘрР"},
	{"s", "śŝşšșŚŜŞŠȘсС"},
	{"sh", "шШщЩ"},
	{"ss", "ßẞ"},
	{"t", "ţťŧțŢŤŦȚтТ"},
	{"th", "þÞ"},
	{"u", "ùúûũūŭůűųưụủứừửữựÙÚÛŨŪŬŮŰŲƯỤỦỨỪỬỮỰуУ"},
	{"ue", "üÜ"},
	{"v", "вВ"},
	{"w", "ŵŴ"},
	{"y", "ýÿŷỳỵỷỹÝŸŶỲỴỶỸыЫ"},
	{"ya", "яЯ"},
	{"yu", "юЮ"},
	{"z", "źżžŹŻŽзЗ"},
	{"zh", "жЖ"},
	{"ts", "цЦ"},
}
