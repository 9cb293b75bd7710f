/*
 * member_value.c - see member_value.h.
 *
 * Method      A value says by its shape what it is. Names matter in two places
 *             only: the role in a message, and the member of an object that
 *             holds the text (field.def).
 */
#include "read/member_value.h"

#include "read/extract_end.h"
#include "read/extract_mark.h"
#include "read/extract_scan.h"
#include "read/field.h"

#include <math.h>

enum {
    MAX_DEPTH = 8,  // of lists and objects around a text
    MOST_TOKENS = 4096,
};

static bool is_blank_text(str s)
{
    return str_trim(s).len == 0;
}

bool value_is_blank(const json *v)
{
    return v->kind == JSON_KIND_NULL
           || (v->kind == JSON_KIND_STRING && is_blank_text(v->text))
           || ((v->kind == JSON_KIND_ARRAY || v->kind == JSON_KIND_OBJECT)
               && v->n == 0);
}

/* Conversations. */

static const char askers[] = "user human";
static const char answerers[] = "assistant gpt model ai bot chatbot";

str value_role(const json *message)
{
    str role = json_get_text(message, S("role"));
    return role.len > 0 ? role : json_get_text(message, S("from"));
}

static const json *content_of(const json *message)
{
    const json *content = json_get(message, S("content"));
    content = content ? content : json_get(message, S("parts"));
    return content ? content : json_get(message, S("value"));
}

// Does the message, or a part of it, call a tool? Its type says so, or the name
// of the member with the calls: tool_calls, functionCall.
static bool is_call(const json *v)
{
    bool is_nested = v->kind == JSON_KIND_OBJECT || v->kind == JSON_KIND_ARRAY;
    bool is = is_nested && !value_is_blank(v)
              && ((mark_says(v->key, "call") && mark_says(v->key, "tool,func"))
                  || mark_says(json_get_text(v, S("type")), "call,tool_use"));
    for (const json *m = is_nested ? v->child : NULL; m && !is; m = m->next) {
        is = is_call(m);
    }
    return is;
}

static void hear(talk *t, const json *message)
{
    const json *content = content_of(message);
    bool is_said = content && !value_is_blank(content);
    str role = value_role(message);
    bool is_bare = role.len == 0;  // an item of a list of several types
    bool calls =
        (is_bare || str_among_fold(role, answerers)) && is_call(message);
    bool asks = is_said && str_among_fold(role, askers);
    bool answers = calls || (is_said && str_among_fold(role, answerers));
    t->has_calls |= calls;
    t->asked = asks ? content : t->asked;
    t->answered = answers ? (is_said ? content : message) : t->answered;
    t->is_open = asks || (t->is_open && !answers);
}

// Beside messages that say that they are such, what the model thought and which
// tools it called may be listed.
talk value_talk(const json *v)
{
    talk t = {0};
    bool is_list = v && v->kind == JSON_KIND_ARRAY && v->n > 0;
    bool have_roles = is_list;
    bool have_types = is_list;
    bool has_message = false;
    if (v && v->kind == JSON_KIND_OBJECT) {
        hear(&t, v);
        t.is_one = t.asked || t.answered;
    }
    for (const json *m = is_list ? v->child : NULL; m; m = m->next) {
        str type = json_get_text(m, S("type"));
        bool has_role = value_role(m).len > 0;
        hear(&t, m);
        have_roles &= has_role;
        have_types &= type.len > 0;
        has_message |= has_role && str_equal(type, S("message"));
    }
    t.is_one |= have_roles || (have_types && (has_message || t.has_calls));
    return t.is_one ? t : (talk){0};
}

/* Words. */

// The text of an object that has one, {"question": "Who?", "n": 3}, or of a
// list of parts, [{"type": "text", "text": "Who?"}].
static const json *only_text(const json *v)
{
    const json *one = NULL;
    for (const json *m = v->child; m; m = m->next) {
        const json *text =
            m->kind == JSON_KIND_OBJECT ? json_get(m, S("text")) : m;
        if (text && text->kind == JSON_KIND_STRING
            && !str_equal(m->key, S("type"))) {
            if (one) {
                return NULL;
            }
            one = text;
        }
    }
    return one;
}

str value_word(arena *a, const json *v)
{
    str text = {0};
    talk t = value_talk(v);
    v = t.is_one ? t.asked : v;
    bool is_nested =
        v && (v->kind == JSON_KIND_OBJECT || v->kind == JSON_KIND_ARRAY);
    v = is_nested ? only_text(v) : v;
    if (v && v->kind == JSON_KIND_REAL && v->text.len == 0
        && fabs(v->real) < 1e15 && v->real == floor(v->real)) {
        return arena_printf(a, "%.0f", v->real);
    }
    return json_scalar_text(a, v, &text) ? str_trim(text) : (str){0};
}

/* SQL. */

// What interfaces of models put around an answer, and the calls of tools that
// may be one.
static const char around[] = "choices messages message content parts body "
                             "tool_calls function arguments";

// A message that is a text tells of an error.
static bool is_around(const json *m)
{
    return str_among(m->key, around)
           && (m->kind != JSON_KIND_STRING || !str_equal(m->key, S("message")));
}

// The member of an object that holds the text, by its name.
static const json *inner_sql(const json *object)
{
    const json *best = NULL;
    int least = 0;
    for (const json *m = object->child; m; m = m->next) {
        field f = field_find(m->key);
        int rank = f.kind == FIELD_SQL ? f.rank + FIELD_WEAK : f.rank;
        if (field_is_sql(f.kind) && (!best || rank < least)) {
            best = m;
            least = rank;
        }
    }
    const json *text = json_get(object, S("text"));
    if (!best && text && text->kind == JSON_KIND_STRING) {
        best = text;
    }
    for (const json *m = object->child; m && !best; m = m->next) {
        best = is_around(m) && !value_is_blank(m) ? m : NULL;
    }
    return best;
}

// The prediction without BIRD's separator and the database after it.
static str cut_bird(str text, str *db)
{
    static const str separator = S_INIT("\t----- bird -----\t");
    ptrdiff_t at = str_find(text, separator, 0);
    if (at < 0) {
        return text;
    }
    *db = str_trim(str_skip(text, at + separator.len));
    return str_sub(text, 0, at);
}

static void add_text(value_texts *out, arena *a, str model, str text, str *db)
{
    *vec_push(a, out) = (record_pred){.run = model, .raw = cut_bird(text, db)};
}

// Part of a message: {"type": "text", "text": ...}. In the list that is its
// content nothing else has a text but a thought; in other lists what has no
// type may be an answer of its own.
static bool is_text_part(const json *list, const json *m)
{
    const json *text =
        m->kind == JSON_KIND_OBJECT ? json_get(m, S("text")) : NULL;
    const json *thought = text ? json_get(m, S("thought")) : NULL;
    str type = text ? json_get_text(m, S("type")) : (str){0};
    bool is_content = str_among(list->key, "content parts");
    return text && !(thought && thought->kind == JSON_KIND_TRUE)
           && (type.len > 0 ? str_ends(type, S("text")) : is_content);
}

// The texts of those parts, which together are the message.
static str text_of_parts(arena *a, const json *list)
{
    buf b = buf_new(a);
    for (const json *m = list->child; m; m = m->next) {
        if (is_text_part(list, m)) {
            buf_add(&b, json_get_text(m, S("text")));
        }
    }
    return buf_str(&b);
}

static bool is_answer(str text)
{
    return extract_starts_query(text) || str_find(text, S("```"), 0) >= 0;
}

// What an interface says of a request that failed, beside codes and numbers;
// models that answer under these names answer with more than a word.
static bool is_failure(const json *v)
{
    bool says_why = false;
    for (const json *m = v->child; m; m = m->next) {
        bool is_why = str_among(m->key, "error message detail");
        bool is_nested =
            m->kind == JSON_KIND_OBJECT || m->kind == JSON_KIND_ARRAY;
        bool is_text = m->kind == JSON_KIND_STRING;
        bool has_words = is_text && str_find(m->text, S(" "), 0) >= 0;
        if ((is_text && is_answer(m->text))
            || (!is_why && (is_nested || has_words))) {
            return false;
        }
        says_why |= is_why && !value_is_blank(m);
    }
    return says_why;
}

static void collect(value_texts *out,
                    arena *a,
                    str model,
                    const json *v,
                    str *db,
                    int depth)
{
    talk t = value_talk(v);
    const json *whole = v;
    v = t.is_one ? t.answered : v;
    bool is_list = v && v->kind == JSON_KIND_ARRAY;
    // What the tools were told may be the answer: extract_walk.c reads it all.
    str text = t.has_calls ? json_written(a, whole)
               : is_list   ? text_of_parts(a, v)
                           : (str){0};
    if (!v || value_is_blank(v) || depth == MAX_DEPTH || text.len > 0) {
        add_text(out, a, model, text, db);
    } else if (is_list) {
        for (const json *m = v->child; m; m = m->next) {
            collect(out, a, model, m, db, depth + 1);
        }
    } else if (v->kind == JSON_KIND_OBJECT) {
        const json *inner = inner_sql(v);
        bool are_models = !inner && depth == 0 && !is_failure(v);
        if (!are_models) {
            collect(out, a, model, inner, db, depth + 1);
        }
        for (const json *m = v->child; m && are_models; m = m->next) {
            collect(out, a, m->key, m, db, depth + 1);
        }
    } else {
        json_scalar_text(a, v, &text);
        add_text(out, a, model, text, db);
    }
}

void value_collect(value_texts *out, arena *a, const json *v, str *db)
{
    collect(out, a, (str){0}, v, db, 0);
}

// Texts, lists with texts, conversations, or objects of such.
static bool is_texts(const json *v, int depth)
{
    bool is_list = v->kind == JSON_KIND_ARRAY;
    bool is_object = v->kind == JSON_KIND_OBJECT;
    bool is_sure = v->kind == JSON_KIND_STRING || value_talk(v).is_one
                   || (is_object && (inner_sql(v) || depth == MAX_DEPTH));
    bool is_looked_into = !is_sure && depth < MAX_DEPTH;
    ptrdiff_t n = 0;
    for (const json *m = is_looked_into ? v->child : NULL; m; m = m->next) {
        n += is_texts(m, depth + 1);
    }
    return is_sure || (n > 0 && (is_list || n == v->n));
}

bool value_is_sql(const json *v)
{
    return !value_is_blank(v) && is_texts(v, 0);
}

// FROM singer, WHERE age > 35: several words, and the first is one of SQL.
static bool is_clause(str text)
{
    str word = extract_word_at(text, 0);
    return word.len > 0 && word.len < text.len && !extract_starts_sql(text)
           && extract_is_keyword(word);
}

// Hardly a word of a query has a blank in it, and none is a query; with blanks
// between them, or as letters without, they are one. So are the clauses of one.
bool value_is_tokens(arena *a, const json *v)
{
    if (v->kind != JSON_KIND_ARRAY || v->n == 0 || v->n > MOST_TOKENS
        || (v->n < 2 && v->child->kind != JSON_KIND_ARRAY)) {
        return false;
    }
    if (v->child->kind == JSON_KIND_ARRAY) {
        return value_is_tokens(a, v->child);
    }
    arena scratch = arena_half(a);
    buf words = buf_new(a);
    buf letters = buf_new(&scratch);
    ptrdiff_t n_long = 0;
    bool are_clauses = true;
    for (const json *m = v->child; m; m = m->next) {
        str text = m->kind == JSON_KIND_STRING ? str_trim(m->text) : (str){0};
        bool is_long = str_find(text, S(" "), 0) >= 0;
        bool is_query = is_long && extract_starts_query(text);
        if (m->kind != JSON_KIND_STRING || (is_query && m != v->child)) {
            return false;
        }
        are_clauses &= m == v->child ? is_query : is_clause(text);
        n_long += is_long;
        buf_add(&words, m->text);
        buf_char(&words, ' ');
        buf_add(&letters, m->text);
    }
    return (are_clauses && extract_is_whole(buf_str(&words), scratch))
           || (n_long * 4 <= v->n
               && (extract_starts_query(buf_str(&words))
                   || extract_starts_query(buf_str(&letters))));
}

/* Paths. */

typedef vec_of(const json *) found_values;

static bool is_step(ptrdiff_t i, str step)
{
    int64_t place = -1;
    return str_equal(step, S("*")) || (str_to_int(step, &place) && place == i);
}

// All values at the path below v; in lists null says nothing.
static void find(found_values *out,
                 arena *a,
                 const json *v,
                 str path,
                 bool is_listed)
{
    if (path.len == 0 && (!is_listed || v->kind != JSON_KIND_NULL)) {
        *vec_push(a, out) = v;
    }
    ptrdiff_t before = out->len;
    for (ptrdiff_t at = v->kind == JSON_KIND_OBJECT ? path.len : 0;
         at > 0 && out->len == before;
         at = str_find(path, S("."), at == path.len ? 0 : at + 1)) {
        const json *m = json_get(v, str_sub(path, 0, at));
        if (m) {
            find(out, a, m, str_skip(path, at + 1), is_listed);
        }
    }
    str rest = path;
    str step = str_cut(&rest, '.');
    const json *m =
        v->kind == JSON_KIND_ARRAY && path.len > 0 ? v->child : NULL;
    for (ptrdiff_t i = 0; m; m = m->next, i++) {
        if (is_step(i, step)) {
            find(out, a, m, rest, true);
        }
    }
}

const json *value_at(const json *object, str path, arena *a)
{
    found_values found = {0};
    find(&found, a, object, path, false);
    if (found.len < 2) {
        return found.len > 0 ? found.ptr[0] : NULL;
    }
    json *list = arena_new(a, json, 1);
    *list = (json){.kind = JSON_KIND_ARRAY, .n = found.len};
    json **next = &list->child;
    for (ptrdiff_t i = 0; i < found.len; i++) {
        *next = arena_new(a, json, 1);
        **next = *found.ptr[i];
        (*next)->next = NULL;
        next = &(*next)->next;
    }
    return list;
}
