package prose

import (
	"strings"
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
	gap := false
	for _, r := range title {
		part := asciiOf(r)
		if part == "" {
			gap = gap || !isMark(r)
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
	slug := cutSlug(b.String())
	switch {
	case slug == "":
		return "note-" + knowledge.Digest("", 8, "slug", title)
	case reservedName(slug):
		return slug + "-note"
	}
	return slug
}

// cutSlug shortens a slug at a hyphen, or within the word when the first one
// alone is too long.
func cutSlug(slug string) string {
	if len(slug) <= maxSlug {
		return slug
	}
	cut := slug[:maxSlug]
	if slug[maxSlug] != '-' {
		if i := strings.LastIndexByte(cut, '-'); i >= maxSlug/2 {
			cut = cut[:i]
		}
	}
	return strings.TrimRight(cut, "-")
}

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
