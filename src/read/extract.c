/*
 * extract.c - the SQL inside a model's answer.
 *
 * Why         Every runner cuts SQL out of answers in its own way, and each
 *             way loses other queries. One place does it for all, says what
 *             it did, and never repairs the SQL.
 *
 * Method      A text that begins with SQL is SQL: only a closing fence or tag,
 *             or a paragraph that is prose, ends it. Else, in this order:
 *               think blocks are dropped (what was thought is no answer);
 *               <answer> and <sql> tags are opened;
 *               the first fence that holds SQL is taken: models that give two
 *                 give the answer first and variations after it, and the
 *                 reference of Spider 2.0 takes the first. But where the words
 *                 between two fences take the first one back ("wait", "the
 *                 corrected query"), the later one;
 *               JSON, such as structured output and calls of tools, gives its
 *                 first member "sql" or "query" that begins as SQL does;
 *               \\boxed{} gives what is in it;
 *               SELECT or WITH at the start of a line or after a colon, up
 *                 to its `;` or the prose that follows;
 *               a refusal without any of these is no prediction;
 *               a text that goes on where a prompt ended in SELECT gets it.
 *             SELECT in the middle of a sentence does not count: prompts that
 *             are echoed and refusals are full of it.
 *
 * Invariants  (1) No byte between the first and the last of the SQL changes,
 *                 but that JSON's escapes are read.
 *             (2) Cost is linear in the text, whatever it is.
 *             (3) A text that holds nothing of all this comes back whole.
 */
#include "read/extract.h"

#include "base/buf.h"
#include "base/json_pull.h"
#include "read/extract_scan.h"

static const str FENCE = S_INIT("```");

typedef struct extraction {
    str text;  // what is left of the answer
    buf note;
} extraction;

static const char *const think_tags[] = {"think", "thinking", "thought",
                                         "reasoning"};
static const char *const answer_tags[] = {"answer", "sql", "query"};

// Languages that a fence may name.
static const char *const languages[] = {
    "sql",       "sqlite", "sqlite3", "postgresql", "postgres", "pgsql",
    "psql",      "mysql",  "tsql",    "plsql",      "bigquery", "duckdb",
    "snowflake", "text",   "code",    "json"};

// Members of JSON that hold the SQL, or JSON as a text that does.
static const char *const json_members[] = {
    "sql",   "query",     "sql_query", "generated_sql", "predicted_sql",
    "code",  "statement", "answer",    "final_answer",  "response",
    "input", "arguments", "content"};

// How a refusal begins.
static const char *const refusals[] = {
    "i'm sorry", "i am sorry", "sorry,",        "i apologize",   "i cannot",
    "i can't",   "i can not",  "i'm unable",    "i am unable",   "i'm not able",
    "as an ai",  "i'm afraid", "unfortunately", "i am not able", "i won't"};

// Words before a fence that take the one before it back.
static const char *const corrections[] = {
    "wait", "correct", "actually", "mistake",     "revis",    "fixed",
    "oops", "wrong",   "instead",  "final query", "final sql"};

static void note_add(extraction *x, str what)
{
    if (x->note.len > 0) {
        buf_add(&x->note, S(", "));
    }
    buf_add(&x->note, what);
}

// "<" or "</", one of the names and ">" at or after `from`.
typedef struct tag {
    ptrdiff_t at;  // -1: there is none
    ptrdiff_t after;
} tag;

static tag find_tag(str text,
                    ptrdiff_t from,
                    str open,
                    const char *const *names,
                    int n)
{
    for (ptrdiff_t at = str_find(text, open, from); at >= 0;
         at = str_find(text, open, at + 1)) {
        str rest = str_skip(text, at + open.len);
        for (int i = 0; i < n; i++) {
            str name = str_from(names[i]);
            if (str_starts_fold(rest, name)
                && str_starts(str_skip(rest, name.len), S(">"))) {
                return (tag){at, at + open.len + name.len + 1};
            }
        }
    }
    return (tag){-1, -1};
}

static tag find_think(str text, ptrdiff_t from, str open)
{
    return find_tag(text, from, open, think_tags, (int)countof(think_tags));
}

// Drops all up to the last closing tag; some templates open the block
// themselves, so the opening one may lack. A block without an end is all there
// is: what was thought so far is no answer.
static void drop_think(extraction *x)
{
    tag close = find_think(x->text, 0, S("</"));
    if (close.at < 0) {
        if (find_think(x->text, 0, S("<")).at == 0) {
            x->text = (str){0};
            note_add(x, S("think block without an end"));
        }
        return;
    }
    ptrdiff_t after = 0;
    while (close.at >= 0) {
        after = close.after;
        close = find_think(x->text, after, S("</"));
    }
    x->text = str_trim(str_skip(x->text, after));
    note_add(x, S("think block"));
}

static void open_answer_tag(extraction *x)
{
    int n = (int)countof(answer_tags);
    tag open = find_tag(x->text, 0, S("<"), answer_tags, n);
    if (open.at < 0) {
        return;
    }
    tag close = find_tag(x->text, open.after, S("</"), answer_tags, n);
    x->text = str_trim(
        str_sub(x->text, open.after, close.at < 0 ? x->text.len : close.at));
    note_add(x, S("answer tag"));
}

// SQL in the same quotes at both ends of the answer.
static void open_quotes(extraction *x)
{
    str t = x->text;
    bool is_quoted = t.len > 2 && t.ptr[0] == t.ptr[t.len - 1]
                     && (t.ptr[0] == '"' || t.ptr[0] == '\'' || t.ptr[0] == '`')
                     && t.ptr[1] != t.ptr[0];
    str inner = str_trim(str_sub(t, 1, t.len - 1));
    if (is_quoted && extract_starts_sql(inner)) {
        x->text = inner;
        note_add(x, S("quotes"));
    }
}

// Cuts the language off the front of a fence's text: the word that touches the
// fence, or one alone on a line.
static str drop_language(str body)
{
    str word = extract_word_at(body, 0);
    bool touches =
        word.len > 0 && word.len < body.len && is_space(body.ptr[word.len]);
    if (!touches) {
        str line = str_trim(body);
        word = extract_word_at(line, 0);
        body = word.len < line.len && line.ptr[word.len] == '\n' ? line : body;
    }
    for (ptrdiff_t i = 0; i < countof(languages); i++) {
        if (str_equal_fold(word, str_from(languages[i]))) {
            return str_skip(body, word.len);
        }
    }
    return body;
}

static bool has_any(str text, const char *const *words, ptrdiff_t n)
{
    bool has = false;
    for (ptrdiff_t i = 0; i < n && !has; i++) {
        has = str_find_fold(text, str_from(words[i]), 0) >= 0;
    }
    return has;
}

static bool is_member(str key)
{
    bool is = false;
    for (ptrdiff_t i = 0; i < countof(json_members); i++) {
        is |= str_equal_fold(key, str_from(json_members[i]));
    }
    return is;
}

enum {
    JSON_DEPTH = 16,
};

static str find_in_json(str text, arena *a, int depth);

// The SQL in the value that comes next, empty when there is none; `key` is the
// member that it is the value of.
static str find_in_value(json_pull *s, str key, arena *a, int depth)
{
    str found = {0};
    char first = json_pull_peek(s);
    bool is_deep = depth > JSON_DEPTH;
    if (!is_deep && first == '{') {
        json_pull_open(s, '{');
        while (json_pull_next(s, '}')) {
            str name = json_pull_key(s, a);
            str in = find_in_value(s, name, a, depth + 1);
            found = found.len > 0 ? found : in;
        }
    } else if (!is_deep && first == '[') {
        json_pull_open(s, '[');
        while (json_pull_next(s, ']')) {
            str in = find_in_value(s, key, a, depth + 1);
            found = found.len > 0 ? found : in;
        }
    } else if (!is_deep && first == '"') {
        str text = str_trim(json_pull_scalar(s, a));
        found = !is_member(key)            ? found
                : extract_starts_sql(text) ? text
                                           : find_in_json(text, a, depth + 1);
    } else {
        json_pull_skip(s);
    }
    return found;
}

// The SQL that a JSON text holds; empty: it is none, or holds none.
static str find_in_json(str text, arena *a, int depth)
{
    if (!str_starts(text, S("{")) && !str_starts(text, S("["))) {
        return (str){0};
    }
    json_pull s = json_pull_begin(text);
    str found = find_in_value(&s, S(""), a, depth);
    return json_pull_end(&s) ? found : (str){0};
}

static bool open_json(extraction *x, arena *a)
{
    str found = find_in_json(x->text, a, 0);
    if (found.len > 0) {
        x->text = found;
        note_add(x, S("JSON"));
    }
    return found.len > 0;
}

// The SQL of the fence that opens at `open`, empty when it holds none; *close
// is where the next one is, -1: there is none.
static str in_fence(str text, ptrdiff_t open, ptrdiff_t *close, arena *a)
{
    ptrdiff_t from = open + FENCE.len;
    *close = str_find(text, FENCE, from);
    ptrdiff_t to = *close < 0 ? text.len : *close;
    str body = str_trim(drop_language(str_sub(text, from, to)));
    return extract_starts_sql(body) ? body : find_in_json(body, a, 0);
}

static bool open_fence(extraction *x, arena *a)
{
    str found = {0};
    ptrdiff_t close = -1;  // of what was found
    for (ptrdiff_t open = str_find(x->text, FENCE, 0), next = -1; open >= 0;
         open = next) {
        str body = in_fence(x->text, open, &next, a);
        // What lies between two fences is no SQL, so the second one may open.
        if (body.len > 0
            && (found.len == 0
                || has_any(str_sub(x->text, close, open), corrections,
                           countof(corrections)))) {
            note_add(x, found.len > 0 ? S("corrected") : S("markdown fence"));
            found = body;
            close = next < 0 ? x->text.len : next;
        }
    }
    x->text = found.len > 0 ? found : x->text;
    return found.len > 0;
}

// What stands in the last \boxed{}.
static bool open_box(extraction *x)
{
    static const str box = S_INIT("\\boxed{");
    ptrdiff_t at = -1;
    for (ptrdiff_t i = str_find(x->text, box, 0); i >= 0;
         i = str_find(x->text, box, i + 1)) {
        at = i;
    }
    str rest = at < 0 ? (str){0} : str_skip(x->text, at + box.len);
    rest = str_starts(rest, S("\\text{")) ? str_skip(rest, 6) : rest;
    ptrdiff_t size = 0;
    for (int depth = 1; size < rest.len; size++) {
        depth += (rest.ptr[size] == '{') - (rest.ptr[size] == '}');
        if (depth == 0) {
            break;
        }
    }
    str inner = str_trim(str_sub(rest, 0, size));
    if (extract_starts_sql(inner)) {
        x->text = inner;
        note_add(x, S("\\boxed"));
        return true;
    }
    return false;
}

static bool is_refusal(str text)
{
    for (ptrdiff_t i = 0; i < countof(refusals); i++) {
        if (str_starts_fold(text, str_from(refusals[i]))) {
            return true;
        }
    }
    return false;
}

// Cuts what follows the SQL at the start of the text.
static void cut_after(extraction *x, extract_place place)
{
    extract_end why = EXTRACT_END_TEXT;
    ptrdiff_t size = extract_sql_size(x->text, place, &why);
    x->text = str_trim(str_sub(x->text, 0, size));
    switch (why) {
    case EXTRACT_END_TEXT: break;
    case EXTRACT_END_MARKER: note_add(x, S("end marker")); break;
    case EXTRACT_END_PROSE: note_add(x, S("text after the SQL")); break;
    }
}

// Whether SQL may begin at text[at]: first in its line but for marks of lists
// and quotations, after a colon, or after a tag such as [SQL].
static bool may_begin(str text, ptrdiff_t at)
{
    ptrdiff_t least = at - 64;
    while (at > 0) {
        char c = text.ptr[at - 1];
        if (c == '\n' || c == ':' || c == ']' || c == '}') {
            return true;
        }
        bool is_mark = c == ' ' || c == '\t' || c == '\r' || c == '*'
                       || c == '>' || c == '`';
        if (!is_mark || at <= least) {
            return false;
        }
        at--;
    }
    return true;
}

// Cuts what stands before the first query in the text.
static bool cut_before(extraction *x)
{
    str t = x->text;
    for (ptrdiff_t at = 0; at < t.len; at++) {
        char c = to_lower(t.ptr[at]);
        bool may_be = c == '(' || c == 's' || c == 'w' || c == 'v';
        if (!may_be || (at > 0 && extract_is_word(t.ptr[at - 1]))
            || !may_begin(t, at) || !extract_starts_query(str_skip(t, at))) {
            continue;
        }
        bool in_code = at > 0 && t.ptr[at - 1] == '`';
        ptrdiff_t end = in_code ? str_find(t, S("`"), at) : t.len;
        x->text = str_sub(t, at, end < 0 ? t.len : end);
        note_add(x, S("text before the SQL"));
        return true;
    }
    return false;
}

// "Select the names:" and then a fence is no SQL, though it begins like it.
static bool introduces_fence(str text)
{
    ptrdiff_t fence = str_find(text, S("```"), 0);
    str before = str_trim(str_sub(text, 0, fence));
    return fence > 0 && str_ends(before, S(":"));
}

// A text that goes on where a prompt ended in SELECT gets it.
static bool put_select(extraction *x, arena *a)
{
    extract_end why = EXTRACT_END_TEXT;
    ptrdiff_t size = extract_sql_size(x->text, EXTRACT_WHOLE, &why);
    if (!extract_continues_select(str_sub(x->text, 0, size))) {
        return false;
    }
    cut_after(x, EXTRACT_WHOLE);
    note_add(x, S("SELECT put in front"));
    buf whole = buf_new(a);
    buf_add(&whole, S("SELECT "));
    buf_add(&whole, x->text);
    x->text = buf_str(&whole);
    return true;
}

static void find_sql(extraction *x, arena *a)
{
    if (extract_starts_sql(x->text) && !introduces_fence(x->text)) {
        cut_after(x, EXTRACT_WHOLE);
        return;
    }
    drop_think(x);
    open_answer_tag(x);
    open_quotes(x);
    if (open_fence(x, a) || open_json(x, a) || open_box(x)) {
        return;
    }
    if (extract_starts_sql(x->text)) {
        cut_after(x, EXTRACT_WHOLE);
    } else if (cut_before(x)) {
        cut_after(x, EXTRACT_INNER);
    } else if (is_refusal(x->text)) {
        x->text = (str){0};
        note_add(x, S("refusal"));
    } else if (x->text.len > 0 && !put_select(x, a)) {
        note_add(x, S("no SQL found"));
    }
}

str extract_sql(arena *a, str raw, str *note)
{
    extraction x = {.text = str_trim(raw), .note = buf_new(a)};
    find_sql(&x, a);
    *note = buf_str(&x.note);
    return x.text;
}
