/*
 * abstention.c - see abstention.h.
 *
 * Method      A word for nothing is known by a list, all else by its form, as
 *             prose is in answers. What begins as a statement, or nearly as a
 *             query, is one: a misspelt one fails, and says nothing.
 */
#include "read/abstention.h"

#include "read/extract.h"
#include "read/extract_line.h"
#include "read/extract_scan.h"
#include "sql/parse.h"

const str abstention_gold[1] = {S_INIT("null")};

bool abstention_is_word(str text)
{
    static const char around[] = "\"'`;.";
    text = str_strip(str_trim(text), around, around);
    return str_among_fold(text, "null none nil n/a unanswerable unknown "
                                "ambiguous impossible");
}

static bool says_yes(str word)
{
    return str_among_fold(word, "true 1 1.0 yes");
}

static bool says_no(str word)
{
    return str_among_fold(word, "false 0 0.0 no");
}

void abstention_settle(record *r, str is_impossible, str is_answerable)
{
    if (r->n_golds == 1 && str_equal_fold(str_trim(r->golds[0]), S("nan"))) {
        r->n_golds = 0;  // what a table of floats makes of an empty cell
    }
    if (says_yes(is_impossible) || says_no(is_answerable)) {
        r->golds = abstention_gold;
        r->n_golds = 1;
        r->golds_are_final = false;
    } else if ((says_no(is_impossible) || says_yes(is_answerable))
               && abstention_is_right(r)) {
        r->n_golds = 0;
    }
}

bool abstention_is_right(const record *gold)
{
    bool is_right = gold->n_golds > 0;
    for (ptrdiff_t i = 0; i < gold->n_golds && is_right; i++) {
        is_right = abstention_is_word(gold->golds[i]);
    }
    return is_right;
}

// DESCRIBE t: also of those that are neither queries nor change rows.
static bool begins_statement(str text, arena scratch)
{
    arena rest = arena_half(&scratch);
    parse_result r = parse_file(&scratch, text, DIALECT_SQLITE, rest);
    return extract_starts_sql(text) || (r.statements && r.errors.len == 0);
}

bool abstention_is_said(str gold, arena scratch)
{
    str note = {0};
    str text = str_trim(extract_gold(&scratch, gold, &note));
    char first = text.len > 0 ? text.ptr[0] : '\0';
    // Chinese and others need no spaces.
    bool is_sentence =
        ((is_alpha(first) && str_find(text, S(" "), 0) > 0)
         || (unsigned char)first >= 0xE0)
        && (text_is_prose(text)
            || (line_is_words(text) && !line_is_in_capitals(text)));
    return abstention_is_word(text)
           || (is_sentence && !extract_is_misspelt(text, scratch)
               && !begins_statement(text, scratch));
}

bool abstention_is_given(str sql, arena scratch)
{
    str text = str_trim(sql);
    return text.len == 0 || abstention_is_word(text)
           || (!extract_starts_sql(text)
               && !extract_is_misspelt(text, scratch));
}

bool abstention_is_question(str text)
{
    static const str marks[] = {S_INIT("?"), S_INIT("\uFF1F"),
                                S_INIT("\u061F")};
    bool is_asked = false;
    for (ptrdiff_t i = 0; i < countof(marks); i++) {
        is_asked |= str_ends(text, marks[i]);
    }
    return is_asked && (text_is_prose(text) || line_is_words(text));
}
