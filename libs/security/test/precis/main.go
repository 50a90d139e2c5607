// Prints what golang.org/x/text/secure/precis says of every code point and of some texts, as JSON: the file
// `expected.json`, with which `user-name.test.ts` compares our own rules.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/rangetable"
	"unicode"
)

// Texts that the rules of contexts and directions decide.
var texts = []string{
	"l\u00b7l", "\u00b7l", "l\u00b7", "L\u00b7L", "\u0375\u03b1", "\u0375a", "\u03b1\u0375", "\u05d0\u05f3", "a\u05f3", "\u05f3\u05d0",
	"\u30fb\u30a2", "a\u30fb", "\u6f22\u30fb", "\u0660\u06f0", "\u0627\u0660", "\u0627\u06f0", "\u0627\u0660\u06f0", "\u0627\u06f0\u0661",
	"\u05d0b", "a\u05d0", "1\u05d0", "\u05d01", "\u05d0.", "\u05d0.1", "\u05d0.\u05d1", "\u05d0\u0627", "\u05d0\u05b0", "\u05b0\u05d0",
	"\u0627\u064b", "\u0627\u06f01", "\u06f0a", "a\u0660", "\u05d01\u0660", "-\u05d0", "\u05d0-\u05d1", "\u07c0\u07ca", "\u07c0", "\U0001e900\U0001e950", "\u30a2\u30fb\u30a2", "a\u30fbb", "\u0627\u06f0\u064b",
	"\u202ea", "a\u200b", "a\u200db", "a\u00adb", "a\ufe0f", "a\u180e", "\u2066a\u2069", "a b", " a", "a\u00a0b", "a\u3000b",
	"\uff21\uff22", "\uff76\uff9e", "\uffa1\uffc2", "e\u0301", "E\u0301", "J\u030c", "\u0130", "I\u0307", "\u03a3\u03a3", "\u1e9e", "\ufb01", "\u2460",
	"ADMIN", "admin@example.com", "DOMAIN\\user", "a+b", "\u4e2d\u6587", "stra\u00dfe", "\u1100\u1161", "\uac00", "\u212a", "\u2126", "",
}

type expected struct {
	// Code points without a character: a later version of Unicode may have one.
	Unassigned string `json:"unassigned"`
	// Code points that are accepted between two letters of Latin, and of Hebrew.
	InLatin  string `json:"inLatin"`
	InHebrew string `json:"inHebrew"`
	// Code points whose key is another text, each with the key.
	Keys string `json:"keys"`
	// Texts with their keys; "!" for a text that is refused.
	Texts map[string]string `json:"texts"`
}

func ranges(has func(rune) bool) string {
	var all []string
	for from := rune(0); from <= unicode.MaxRune; from++ {
		if !has(from) {
			continue
		}
		to := from
		for to < unicode.MaxRune && has(to+1) {
			to++
		}
		if from == to {
			all = append(all, fmt.Sprintf("%x", from))
		} else {
			all = append(all, fmt.Sprintf("%x-%x", from, to))
		}
		from = to
	}
	return strings.Join(all, " ")
}

func main() {
	assigned := rangetable.Assigned(precis.UnicodeVersion)
	isSurrogate := func(r rune) bool { return r >= 0xd800 && r <= 0xdfff }
	accepted := func(letter string) func(rune) bool {
		return func(r rune) bool {
			_, err := precis.UsernameCasePreserved.String(letter + string(r) + letter)
			return err == nil && !isSurrogate(r)
		}
	}
	inLatin, inHebrew := accepted("x"), accepted("\u05d0")
	var keys []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		letter := "x"
		if !inLatin(r) {
			letter = "\u05d0"
			if !inHebrew(r) {
				continue
			}
		}
		key, err := precis.UsernameCaseMapped.CompareKey(letter + string(r) + letter)
		if err != nil {
			panic(err)
		}
		if key = strings.TrimSuffix(strings.TrimPrefix(key, letter), letter); key != string(r) {
			keys = append(keys, string(r)+key)
		}
	}
	result := expected{
		Unassigned: ranges(func(r rune) bool { return !unicode.Is(assigned, r) && !isSurrogate(r) }),
		InLatin:    ranges(inLatin),
		InHebrew:   ranges(inHebrew),
		Keys:       strings.Join(keys, " "),
		Texts:      map[string]string{},
	}
	for _, text := range texts {
		key := "!"
		if _, err := precis.UsernameCasePreserved.String(text); err == nil && text != "" {
			key, _ = precis.UsernameCaseMapped.CompareKey(text)
		}
		result.Texts[text] = key
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(result); err != nil {
		panic(err)
	}
}
