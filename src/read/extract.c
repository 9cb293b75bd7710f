/*
 * extract.c - the SQL inside a model's answer, and inside a gold.
 *
 * Why         Every runner cuts SQL out of answers in its own way, and each
 *             way loses other queries. One place does it for all, says what
 *             it did, and never repairs the SQL.
 *
 * Method      extract_walk.c finds queries, extract_choice.c says which of them
 *             it is. Here is what stands around all of it, what becomes of a
 *             text without one, and the note.
 *
 *             Broken SQL is judged and prose is no prediction. Prose is known
 *             by its form (extract_end.c), not by the words of refusals: it has
 *             a line that reads as a sentence, and neither operators nor words
 *             of SQL in capitals.
 */
#include "read/extract.h"

#include "base/buf.h"
#include "read/extract_end.h"
#include "read/extract_line.h"
#include "read/extract_scan.h"
#include "read/extract_walk.h"

enum {
    REPEATS = 4,
};

static const char *const note_texts[] = {
#define NOTE(name, text) text,
    NOTES
#undef NOTE
};

// Channels whose tokens were taken out: "analysisWe need ... assistantfinal".
static str drop_bare_channels(str text, bool *is_cut)
{
    static const str last = S_INIT("assistantfinal");
    ptrdiff_t at = str_find(text, last, 0);
    *is_cut =
        str_starts(text, S("analysis")) && at > 8 && !is_space(text.ptr[8]);
    while (*is_cut && at >= 0) {
        text = str_skip(text, at + last.len);
        at = str_find(text, last, 0);
    }
    return text;
}

// Without the SELECT of a prompt, which some programs put before every answer,
// where the answer begins with one of its own, or with a fence.
static str drop_verb(str text, arena scratch)
{
    str verb = extract_word_at(text, 0);
    str rest = str_trim(str_skip(text, verb.len));
    bool begins_anew = extract_starts_query(rest) && rest.ptr[0] != '('
                       && !extract_is_whole(text, scratch);
    return str_equal_fold(verb, S("select"))
                   && (begins_anew || str_starts(rest, S("```")))
               ? rest
               : text;
}

// SELEC name FROM t, but not `sector FROM t`.
static bool is_misspelt(str text, arena scratch)
{
    ptrdiff_t at = extract_skip(text, extract_word_at(text, 0).len);
    str next = extract_word_at(text, at);
    return next.len > 0 && !extract_is_keyword(next)
           && extract_is_misspelt(text, scratch);
}

// A text without a query: nothing, the rest of one, or prose.
static finding without_query(const answer *w, arena *a, arena scratch)
{
    finding out = {0};
    str text = w->rest;
    if (w->ends_in_thought) {
        out.notes = BIT(NO_END);
        return out;
    }
    static const str verb = S_INIT("SELECT ");
    extract_end why = EXTRACT_END_TEXT;
    str sql = arena_printf(a, "%.*s%.*s", STR_ARG(verb), STR_ARG(text));
    ptrdiff_t size = extract_sql_size(sql, false, &why, scratch);
    bool has_stop = str_starts(str_skip(sql, size), S("."));
    sql = extract_trim(str_sub(sql, 0, size));
    str part = str_skip(sql, verb.len);
    if (text.len == 0) {
        return out;
    }
    // "Funding from the government." is a sentence.
    bool goes_on = !(has_stop && line_is_words(part))
                   && extract_continues_select(part, a, scratch);
    if (goes_on && !is_misspelt(part, scratch)) {
        out.sql = sql;
        out.notes |= BIT(SELECT)
                     | (why == EXTRACT_END_PROSE    ? BIT(AFTER)
                        : why == EXTRACT_END_MARKER ? BIT(MARKER)
                                                    : 0);
    } else if (!goes_on && (w->declines || text_is_prose(text))) {
        out.notes |= BIT(PROSE);
    } else {
        out.notes |= BIT(NONE);
        out.sql = text;
    }
    return out;
}

static str notes_text(arena *a, unsigned notes)
{
    buf out = buf_new(a);
    for (int i = 0; i < NOTE_COUNT; i++) {
        if (notes >> i & 1) {
            buf_list(&out, str_from(note_texts[i]));
        }
    }
    return buf_str(&out);
}

static finding find_answer(arena *a, str raw)
{
    arena mine = *a;
    arena scratch = arena_half(&mine);
    bool is_bare = false;
    str plain = str_trim(raw);
    str seen = extract_trim(plain);
    str text = drop_verb(drop_bare_channels(seen, &is_bare), scratch);
    answer w = extract_walk(&mine, text, scratch);
    finding found = w.best;
    // What goes on with a prompt may have another query behind it.
    bool may_continue = found.sql.len == 0
                        || (found.rank < RANK_FENCE
                            && line_shape_of(line_at(w.rest, 0)).has_verbs);
    finding other =
        may_continue ? without_query(&w, &mine, scratch) : (finding){0};
    bool goes_on =
        other.notes & BIT(SELECT) && str_find(other.sql, found.sql, 0) < 0;
    found = found.sql.len == 0 || goes_on ? other : found;
    found.notes |= w.notes | (is_bare ? BIT(THOUGHT) : 0)
                   | (seen.len < plain.len ? BIT(INVISIBLE) : 0);
    if (found.notes == 0 && found.sql.len < plain.len) {
        found.notes = BIT(BEFORE);  // tokens
    }
    a->next = mine.next;
    return found;
}

// What is found where the signs that HTML escapes are read, if that alone is
// whole.
static finding find_escaped(arena *a, str raw, finding found)
{
    static const str pairs[][2] = {
        {S_INIT("&lt;"), S_INIT("<")},    {S_INIT("&gt;"), S_INIT(">")},
        {S_INIT("&quot;"), S_INIT("\"")}, {S_INIT("&#39;"), S_INIT("'")},
        {S_INIT("&amp;"), S_INIT("&")},
    };
    if (str_find(raw, S("&"), 0) < 0 || extract_is_whole(found.sql, *a)) {
        return found;
    }
    for (ptrdiff_t i = 0; i < countof(pairs); i++) {
        raw = buf_replaced(a, raw, pairs[i][0], pairs[i][1]);
    }
    finding read = find_answer(a, raw);
    read.notes |= BIT(ESCAPES);
    return extract_is_whole(read.sql, *a) ? read : found;
}

static finding find_script(arena *a, str raw)
{
    finding found = find_escaped(a, raw, find_answer(a, raw));
    str last = raw;
    // What ends in a cut may show one more.
    for (int i = 0; i < REPEATS && found.sql.len < extract_trim(last).len;
         i++) {
        last = found.sql;
        finding next = find_answer(a, last);
        found.sql = next.sql;
        found.notes |= next.notes;
    }
    return found;
}

str extract_script(arena *a, str raw, str *note)
{
    finding found = find_script(a, raw);
    *note = notes_text(a, found.notes);
    return found.sql;
}

str extract_sql(arena *a, str raw, str *note)
{
    finding found = find_script(a, raw);
    str query = extract_without_sample(found.sql);
    if (query.len < found.sql.len) {
        unsigned notes = found.notes | BIT(SAMPLE);
        found = find_script(a, query);
        found.notes |= notes;
    }
    *note = notes_text(a, found.notes);
    return found.sql;
}

str extract_gold(arena *a, str gold, str *note)
{
    *note = (str){0};
    if (extract_starts_sql(gold)) {
        str sql = str_trim(gold);
        ptrdiff_t size = extract_before_tokens(sql, false, *a);
        *note = size < sql.len ? notes_text(a, BIT(MARKER)) : *note;
        return size < sql.len ? str_sub(sql, 0, size) : gold;
    }
    finding found = find_answer(a, gold);
    bool is_sure =
        found.rank >= RANK_JSON || (found.notes & BIT(INVISIBLE)) != 0;
    bool is_made = (found.notes & (BIT(SELECT) | BIT(NONE))) != 0;
    if (found.sql.len == 0 || is_made
        || (!is_sure && !extract_is_whole(found.sql, *a))) {
        return gold;
    }
    *note = notes_text(a, found.notes);
    return found.sql;
}
