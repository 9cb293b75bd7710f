/*
 * redact.c - see redact.h.
 *
 * Method      A list of members that may stay, wherever they stand; all others
 *             go, so that a member which a later version adds is left out until
 *             somebody has thought about it. Members of `verdicts` and of
 *             `features` are keys, not values, and stay.
 */
#include "report/redact.h"

#include "base/json.h"
#include "base/utf8.h"
#include "sql/lex.h"
#include "sql/parse.h"

static bool may_stay(str key)
{
    return str_among(
        key,
        "run id db category hardness hardness_from features verdicts "
        "gold_status pred_status gold_ms pred_ms interaction turn samples at "
        "same_as vote sample votes of v reason notes variant killed_by "
        "columns parts in_gold in_pred distance similarity score confidence "
        "database line");
}

static bool is_query(str key)
{
    return str_among(key, "gold pred");
}

static bool is_map(str key)
{
    return str_among(key, "verdicts features parts");
}

static bool is_value(token_kind kind)
{
    return kind == TOKEN_STRING || kind == TOKEN_STRING_OR_NAME
           || kind == TOKEN_NUMBER || kind == TOKEN_PARAMETER
           || kind == TOKEN_ERROR;
}

// What any dialect takes for a text, a remark or a quoted name: of a query that
// no engine took nobody knows whose words it speaks.
static void hide_foreign(bool *hidden, str sql)
{
    for (dialect d = 0; d < DIALECT_COUNT; d++) {
        lexer l = lex_begin(sql, d);
        for (token t = lex_next(&l); t.kind != TOKEN_END; t = lex_next(&l)) {
            bool hides = t.kind == TOKEN_STRING || t.kind == TOKEN_COMMENT
                         || t.kind == TOKEN_QUOTED_NAME;
            for (int32_t i = 0; hides && i < t.len; i++) {
                hidden[t.pos + i] = true;
            }
        }
    }
}

// Comments go, too: they may say anything. So does what is no token.
static str without_literals(arena *a, str sql, dialect d, bool has_run)
{
    buf b = buf_new(a);
    bool *hidden = arena_new(a, bool, sql.len);
    if (!has_run) {
        hide_foreign(hidden, sql);
    }
    lexer l = lex_begin(sql, d);
    ptrdiff_t end = 0;
    for (token t = lex_next(&l); t.kind != TOKEN_END; t = lex_next(&l)) {
        bool is_comment = t.kind == TOKEN_COMMENT;
        if (t.pos > end || is_comment) {
            buf_char(&b, ' ');
        }
        end = t.pos + t.len;
        bool hides = is_value(t.kind) || hidden[t.pos];
        buf_add(&b, is_comment ? S("") : hides ? S("?") : token_text(sql, t));
    }
    return buf_str(&b);
}

static bool parses(str sql, arena a, dialect d)
{
    arena scratch = arena_half(&a);
    parse_result p = parse_sql(&a, sql, d, scratch);
    return p.statements && p.errors.len == 0;
}

// Signs of no script's words in a name: quotes of a printed page, which end no
// literal that a lexer knows of.
static bool has_signs_in_names(str sql, dialect d)
{
    bool has_signs = false;
    lexer l = lex_begin(sql, d);
    for (token t = lex_next(&l); t.kind != TOKEN_END; t = lex_next(&l)) {
        str text = t.kind == TOKEN_NAME ? token_text(sql, t) : (str){0};
        for (ptrdiff_t i = 0, size = 0; i < text.len; i += size) {
            int32_t c = utf8_char_at(text, i, &size);
            has_signs = has_signs || (c > 0x7F && !utf8_is_word(c));
        }
    }
    return has_signs;
}

// Golds may be templates: SELECT {a, b}.
static bool is_sql(str text, arena a, dialect d)
{
    char *plain = arena_cstr(&a, text);
    for (ptrdiff_t i = 0; i < text.len; i++) {
        plain[i] = plain[i] == '{' || plain[i] == '}' ? ' ' : plain[i];
    }
    return parses(text, a, d) || parses((str){plain, text.len}, a, d);
}

// Where a literal ends is known only of a text that is SQL of this dialect: any
// other is left out whole.
static json *redact_query(json *j, arena *a, dialect d, bool has_run)
{
    if (j->kind == JSON_KIND_STRING) {
        bool is_clear = is_sql(j->text, *a, d)
                        && (has_run || !has_signs_in_names(j->text, d));
        j->text = is_clear ? without_literals(a, j->text, d, has_run) : S("?");
    }
    for (json *m = j->child; m; m = m->next) {
        redact_query(m, a, d, has_run);
    }
    return j;
}

static bool has_run(const json *line, str query, arena scratch)
{
    str key = arena_printf(&scratch, "%.*s_status", STR_ARG(query));
    return str_equal(json_get_text(line, key), S("ok"));
}

// Takes out of `j` what may not stay.
static void redact(json *j, arena *a, dialect d, bool keeps_all)
{
    json **link = &j->child;
    for (json *m = j->child; m; m = m->next) {
        bool is_member = j->kind == JSON_KIND_OBJECT && !keeps_all;
        if (is_member && is_query(m->key)) {
            *link = redact_query(m, a, d, has_run(j, m->key, *a));
        } else if (!is_member || may_stay(m->key)) {
            redact(m, a, d, is_member && is_map(m->key));
            *link = m;
        } else {
            j->n--;
            continue;
        }
        link = &m->next;
    }
    *link = NULL;
}

str redact_line(arena *a, str line, dialect d)
{
    json *j = json_parse(a, line, NULL);
    if (!j) {
        return line;
    }
    redact(j, a, d, false);
    return json_written(a, j);
}
