// Package bibtex formats the sources of locks as entries for BibTeX.
package bibtex

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"shmbench/shm"
)

// Entries returns the entries of sources, each source once.
func Entries(sources []shm.Source) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range sources {
		if key := Key(s); !seen[key] {
			seen[key] = true
			b.WriteString(Entry(s))
		}
	}
	return b.String()
}

// Entry returns the source as a BibTeX entry that ends with a newline. Its key is the last
// name of the first author, the year and the first word of the title, in lower case. An entry
// is an article if the venue ends with a volume, such as "9(1)". It is in
// proceedings if the venue is the name of a conference. Any other entry
// has the type misc. Letters beyond ASCII stay as they are, in UTF-8.
func Entry(s shm.Source) string {
	authors, after := names(s.Author)
	kind, venue := published(s.Venue)
	fields := [][2]string{{"author", strings.Join(authors, " and ")}, {"title", "{" + escaped(s.Title) + "}"}}
	fields = append(fields, venue...)
	if s.Year != 0 {
		fields = append(fields, [2]string{"year", fmt.Sprint(s.Year)})
	}
	if s.Page != "" {
		fields = append(fields, pages(s.Page))
	}
	if after != "" {
		fields = append(fields, [2]string{"note", "After " + escaped(after)})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@%s{%s,\n", kind, Key(s))
	for _, f := range fields {
		if f[1] != "" {
			fmt.Fprintf(&b, "  %s = {%s},\n", f[0], f[1])
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// Key returns the key of the entry of a source.
func Key(s shm.Source) string {
	last := ""
	if authors, _ := names(s.Author); len(authors) > 0 {
		family, _, _ := strings.Cut(authors[0], ",")
		last = lastWord(family)
	}
	title := ""
	for word := range strings.FieldsSeq(s.Title) {
		if word = plain(word); len(word) > 3 || title == "" && word != "a" && word != "the" && word != "" {
			title = word
			break
		}
	}
	return plain(last) + fmt.Sprint(s.Year) + title
}

func lastWord(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// ascii has letters of names without their marks.
var ascii = strings.NewReplacer("ł", "l", "ö", "o", "ü", "u", "é", "e", "ć", "c", "ń", "n", "ø", "o")

// plain keeps the letters and digits of a word that are in ASCII, in lower case.
func plain(word string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, ascii.Replace(strings.ToLower(word)))
}

var separators = regexp.MustCompile(`, and |, |; | and `)

// names returns the authors as BibTeX has them, and the person behind "after" in the
// author field, if there is one. Without other authors, this person is the author.
func names(author string) (authors []string, after string) {
	author, after, _ = strings.Cut(author, "after ")
	for _, name := range separators.Split(author, -1) {
		if name = strings.TrimSpace(name); name != "" {
			authors = append(authors, person(name))
		}
	}
	if len(authors) == 0 && after != "" {
		return names(after)
	}
	return authors, after
}

// organization matches names that are not of a person.
var organization = regexp.MustCompile(`^The |[tT]eam|/|^folklore$`)

// person is a name, in braces if it is that of an organization, and with the family name
// first if it has a suffix.
func person(name string) string {
	if organization.MatchString(name) {
		return "{" + escaped(name) + "}"
	}
	words := strings.Fields(name)
	if n := len(words); n > 2 && slices.Contains([]string{"III", "II", "Jr."}, words[n-1]) {
		return fmt.Sprintf("%s, %s, %s", words[n-2], words[n-1], strings.Join(words[:n-2], " "))
	}
	return escaped(name)
}

var (
	journal    = regexp.MustCompile(`^(.*) (\d+)(?:\(([^)]+)\))?$`)
	conference = regexp.MustCompile(`Symposium|Conference|Workshop|Congress|Allerton|^(PPoPP|EuroSys|HPCA|NETYS|Euro-Par|SPAA|PODC|DISC|SOSP|ICPP|IPPS|USENIX.*|ASPLOS|ISCA|STOC|FOCS)\b`)
)

// published is the type of an entry and its fields that say where it was published.
func published(venue string) (kind string, fields [][2]string) {
	switch m := journal.FindStringSubmatch(venue); {
	case conference.MatchString(venue), strings.Contains(venue, ", LNCS"):
		return "inproceedings", [][2]string{{"booktitle", escaped(venue)}}
	case m != nil && !strings.Contains(venue, "Linux") && !strings.Contains(venue, "EWD"):
		return "article", [][2]string{{"journal", escaped(m[1])}, {"volume", m[2]}, {"number", escaped(m[3])}}
	}
	return "misc", [][2]string{{"howpublished", escaped(venue)}}
}

// pages is the field of a page or pages, or a note if the text is another place.
func pages(page string) [2]string {
	if !unicode.IsDigit(rune(page[0])) {
		return [2]string{"note", escaped(page)}
	}
	return [2]string{"pages", escaped(strings.NewReplacer("–", "--", "-", "--").Replace(page))}
}

var special = strings.NewReplacer("&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\~{}`, "—", "---")

// escaped is a text with the characters that TeX does not print escaped.
func escaped(text string) string { return special.Replace(text) }
