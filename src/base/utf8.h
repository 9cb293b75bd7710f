// utf8.h - UTF-8 text: validity, normal form, case folding, display width.
#ifndef ASSAY_BASE_UTF8_H
#define ASSAY_BASE_UTF8_H

#include "base/buf.h"

// The bytes of the well-formed character at offset i (1 to 4), 0 when the
// bytes there are none. i < s.len.
ptrdiff_t utf8_size_at(str s, ptrdiff_t i);

// The character at offset i and its bytes; -1 and one byte when the bytes there
// are no character. i < s.len.
int32_t utf8_char_at(str s, ptrdiff_t i, ptrdiff_t *size);

// The character that ends just before offset i, in the same way. i > 0.
int32_t utf8_char_before(str s, ptrdiff_t i);

// The Unicode meaning of \w, \d and \s: letters, numbers and _; decimal
// digits; white space.
bool utf8_is_word(int32_t c);
bool utf8_is_digit(int32_t c);
bool utf8_is_blank(int32_t c);

// A letter of a script that puts no blanks between words: Chinese, Thai.
bool utf8_is_dense(int32_t c);

// The offset after the characters from i on that are all of `kind`.
ptrdiff_t utf8_run_end(str s, ptrdiff_t i, bool (*kind)(int32_t c));

// Cuts the next word between blanks off; empty at the end.
str utf8_cut_word(str *rest);

void utf8_add(buf *b, int32_t c);  // appends it

// s with every letter in lower or upper case, character by character. Bytes
// that are no character stay.
str utf8_lower(arena *a, str s);
str utf8_upper(arena *a, str s);

bool utf8_is_valid(str s);
bool utf8_is_ascii(str s);

// Characters of s; a byte that belongs to none counts as one.
ptrdiff_t utf8_count(str s);

// Columns that s takes on a terminal.
ptrdiff_t utf8_width(str s);

// s with its control characters, line breaks too, and the marks that turn the
// direction of text, as escapes ("\\n", "\\x1b", "\\u202e"): names from a file
// shall not command a terminal. Borrowed when there are none.
str utf8_visible(arena *a, str s);

// s as a terminal may show it: line breaks and tabs stay, and so do the two
// sequences that our own tables have for bold; what else would command the
// terminal (escapes, C1, a carriage return in a line) becomes an escape to
// read. Borrowed when there is nothing of that.
str utf8_harmless(arena *a, str s);

// The same for text whose parts from files utf8_visible() has made: red, green
// and yellow stay, too.
str utf8_harmless_colored(arena *a, str s);

// s without its ill-formed bytes. Borrowed when there are none.
str utf8_drop_invalid(arena *a, str s);

// Unicode NFC. Borrowed when s is ASCII or not valid UTF-8.
str utf8_nfc(arena *a, str s);

// The length of the longest prefix of s that has at most `max` characters and
// ends between two characters.
ptrdiff_t utf8_prefix(str s, ptrdiff_t max);

// The first `max` characters on one line: blanks for control characters, dots
// where there are more.
void utf8_show(buf *b, str s, ptrdiff_t max);

#endif  // ASSAY_BASE_UTF8_H
