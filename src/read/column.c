/*
 * column.c - see column.h.
 *
 * Method      Members are visited to a small depth; what names as SQL, and what
 *             gives one word, is a value and not looked into. A text is SQL
 *             when it begins as a statement does, bare or out of its wrapping.
 *
 * Cost        Linear in the text; a fence costs an extraction. A file with more
 *             than MOST_COLUMNS paths leaves the rest out.
 */
#include "read/column.h"

#include "base/told.h"
#include "base/utf8.h"
#include "read/abstention.h"
#include "read/extract.h"
#include "read/extract_end.h"
#include "read/extract_scan.h"
#include "read/member_value.h"
#include "sql/lex.h"

#include <math.h>
#include <string.h>

enum {
    MAX_DEPTH = 3,  // of objects in a record
    MOST_COLUMNS = 512,
    NESTED_RANK = 20,  // what lies deeper is meant less
    ASKING = 60,       // bytes of a question in a message
};

typedef struct adding {
    file_columns *c;
    arena *a;
    field_aliases own;
    bool is_head;
} adding;

static unsigned bit(column_trait trait, bool is_so)
{
    return (unsigned)is_so << trait;
}

// The same for all ways to write one query: blanks, comments, letter case and
// what ends it do not count, but in quotes.
static uint64_t sum_of_sql(str text)
{
    uint64_t sum = 0;
    lexer l = lex_begin(str_strip(text, "", "; \t\r\n"), DIALECT_SQLITE);
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        str word = token_text(text, t);
        bool is_quoted = strchr("'\"`[", word.ptr[0]) != NULL;
        sum = hash_mix(sum, is_quoted ? hash64(word) : hash64_fold(word));
    }
    return sum;
}

// "Select all singers older than 35." begins as SQL does.
static bool is_request(str text, arena scratch)
{
    str word = extract_word_at(text, 0);
    return word.len > 1 && to_lower(word.ptr[0]) != word.ptr[0]
           && to_lower(word.ptr[1]) == word.ptr[1]
           && !extract_is_whole(str_strip(text, "", ".!?"), scratch);
}

// Is a text SQL or other text? "null" and "unanswerable" are neither.
static unsigned traits_of_text(file_column *k, str raw, arena *a, arena scratch)
{
    str text = str_trim(raw);
    str note = {0};
    if (text.len == 0 || abstention_is_word(text)
        || str_equal_fold(text, S("nan"))) {
        return 0;
    }
    if (!extract_starts_sql(text) && extract_is_wrapped(text)) {
        text = extract_sql(&scratch, text, &note);
    }
    bool is_sql = extract_starts_sql(text) && !is_request(text, scratch);
    k->sql_sum += is_sql ? sum_of_sql(text) : hash64(text);
    bool is_asking = !is_sql && abstention_is_question(text);
    if (is_asking && k->asking.len == 0) {
        k->asking = arena_str(a, str_sub(text, 0, utf8_prefix(text, ASKING)));
    }
    return bit(TRAIT_SQL, is_sql)
           | bit(TRAIT_QUERY, is_sql && extract_starts_query(text))
           | bit(TRAIT_TEXT, !is_sql) | bit(TRAIT_ASKING, is_asking)
           | bit(TRAIT_SELECT,
                 !is_sql && str_find_fold(text, S("select"), 0) >= 0);
}

str column_word(str word)
{
    ptrdiff_t dot = str_find(word, S("."), 0);
    str whole = str_sub(word, 0, dot < 0 ? word.len : dot);
    bool is_whole = dot > 0 && dot + 1 < word.len && str_to_int(whole, NULL)
                    && str_strip(str_skip(word, dot + 1), "0", "").len == 0;
    return is_whole ? whole : word;
}

static unsigned traits_of_word(file_column *k, const json *v, str raw)
{
    double number = 0;
    str word = column_word(raw);
    bool is_whole = str_to_int(word, NULL);
    bool is_cut = word.len < raw.len && v->kind == JSON_KIND_STRING;
    bool is_number = str_to_double(raw, &number) && isfinite(number);
    hash128 h = hash_bytes(word);
    k->first = k->has[TRAIT_WORD] == 0 ? h : k->first;
    k->sum.low += h.low;
    k->sum.high += h.high;
    return bit(TRAIT_WORD, true) | bit(TRAIT_NUMBER, is_number)
           | bit(TRAIT_NO_FIGURE,
                 is_number && !told_is_sound(TOLD_COST, number))
           | bit(TRAIT_WHOLE, is_whole) | bit(TRAIT_FLOAT, is_whole && is_cut)
           | bit(TRAIT_FIRST, memcmp(&h, &k->first, sizeof h) == 0);
}

static unsigned traits_of_list(file_column *k,
                               const json *v,
                               arena *a,
                               arena scratch)
{
    str db = {0};
    value_texts texts = {0};
    unsigned traits = 0;
    value_collect(&texts, &scratch, v, &db);
    for (ptrdiff_t i = 0; i < texts.len; i++) {
        traits |= traits_of_text(k, texts.ptr[i].raw, a, scratch);
    }
    unsigned both = bit(TRAIT_SQL, true) | bit(TRAIT_TEXT, true);
    bool is_mixed = (traits & both) == both;
    return (traits & ~bit(TRAIT_TEXT, is_mixed)) | bit(TRAIT_MIXED, is_mixed);
}

// Is there a query in it, under whatever name?
static bool holds_query(const json *v, int depth)
{
    bool is_found =
        v->kind == JSON_KIND_STRING && extract_starts_query(v->text);
    bool is_nested = v->kind == JSON_KIND_OBJECT || v->kind == JSON_KIND_ARRAY;
    for (const json *m = is_nested && depth < MAX_DEPTH ? v->child : NULL;
         m && !is_found; m = m->next) {
        is_found = holds_query(m, depth + 1);
    }
    return is_found;
}

static unsigned traits_of(file_column *k,
                          const json *v,
                          arena *a,
                          arena scratch)
{
    bool is_nested = v->kind == JSON_KIND_ARRAY || v->kind == JSON_KIND_OBJECT;
    talk t = value_talk(v);
    if (t.is_one) {
        return traits_of_list(k, v, a, scratch)
               | bit(TRAIT_ASKED, t.asked != NULL)
               | bit(TRAIT_TOLD, t.answered != NULL)
               | bit(TRAIT_OPEN, t.answered && t.is_open);
    }
    if (value_is_tokens(&scratch, v)) {
        return bit(TRAIT_TOKENS, true);
    }
    if (is_nested) {
        unsigned traits =
            value_is_sql(v) ? traits_of_list(k, v, a, scratch) : 0;
        return traits
               | bit(TRAIT_INNER, k->named.kind == FIELD_NONE
                                      && !(traits & bit(TRAIT_SQL, true))
                                      && holds_query(v, 0));
    }
    if (value_is_blank(v)) {
        return 0;
    }
    str word = value_word(&scratch, v);
    return traits_of_word(k, v, word)
           | (v->kind == JSON_KIND_STRING
                  ? traits_of_text(k, v->text, a, scratch)
                  : 0);
}

static void count_value(file_column *k, const json *v, arena *a, arena scratch)
{
    unsigned traits = traits_of(k, v, a, scratch);
    k->n += !value_is_blank(v);
    for (int i = 0; i < COLUMN_TRAITS; i++) {
        k->has[i] += traits >> i & 1;
    }
}

// The column at that path, which names give the meaning; NULL: there are too
// many.
static file_column *column_of(file_columns *c, arena *a, str path, field named)
{
    ptrdiff_t i = map_find(&c->paths, path);
    if (i < 0 && c->list.len < MOST_COLUMNS) {
        path = arena_str(a, path);
        i = map_add(&c->paths, a, path);
        *vec_push(a, &c->list) = (file_column){.path = path, .named = named};
    }
    return i < 0 ? NULL : &c->list.ptr[i];
}

// What the user says of the path, else the name of its last step.
static field meaning_of(field_aliases own, str path, str name, int depth)
{
    field f = field_find_in(own, path);
    if (f.why != FIELD_BY_USER) {
        f = field_find(name);
        f.rank += NESTED_RANK * depth;
    }
    return f;
}

// Of a session's head, what its turns say of themselves is left out.
static bool is_of_turn(field_kind kind)
{
    return field_is_sql(kind) || kind == FIELD_QUESTION || kind == FIELD_NONE
           || kind == FIELD_INTERACTION;
}

static void add_members(const adding *x,
                        str above,
                        const json *object,
                        int depth,
                        arena scratch)
{
    for (const json *m = object->child; m; m = m->next) {
        arena temp = scratch;
        str path = above.len == 0
                       ? m->key
                       : arena_printf(&temp, "%.*s.%.*s", STR_ARG(above),
                                      STR_ARG(m->key));
        file_column *k = column_of(x->c, x->a, path,
                                   meaning_of(x->own, path, m->key, depth));
        if (!k || (x->is_head && is_of_turn(k->named.kind))) {
            continue;
        }
        bool is_inner =
            m->kind == JSON_KIND_OBJECT && depth < MAX_DEPTH
            && !value_talk(m).is_one && !field_is_sql(k->named.kind)
            && k->named.kind != FIELD_RESULT
            && (k->named.kind == FIELD_NONE || value_word(&temp, m).len == 0);
        if (is_inner) {
            add_members(x, path, m, depth + 1, temp);
        } else {
            count_value(k, m, x->a, temp);
        }
    }
}

void columns_add(file_columns *c,
                 arena *a,
                 field_aliases own,
                 const json *j,
                 bool is_head,
                 arena scratch)
{
    adding x = {c, a, own, is_head};
    c->n_records += !is_head;
    if (j->key.len > 0) {
        const json key = {.kind = JSON_KIND_STRING, .text = j->key};
        count_value(&c->keys, &key, a, scratch);
    }
    if (j->kind == JSON_KIND_OBJECT) {
        add_members(&x, (str){0}, j, 0, scratch);
    } else {
        columns_add_value(c, a, (str){0}, (field){0}, j, scratch);
    }
}

void columns_add_value(file_columns *c,
                       arena *a,
                       str path,
                       field meaning,
                       const json *v,
                       arena scratch)
{
    file_column *k = column_of(c, a, path, meaning);
    if (k) {
        count_value(k, v, a, scratch);
    }
}

void columns_add_inside(file_columns *c,
                        arena *a,
                        field_aliases own,
                        str above,
                        const json *object,
                        arena scratch)
{
    adding x = {c, a, own, false};
    add_members(&x, above, object, 0, scratch);
}
