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
#include "sql/lex.h"

static bool may_stay(str key)
{
    static const str known[] = {
        S_INIT("run"),         S_INIT("id"),         S_INIT("db"),
        S_INIT("category"),    S_INIT("hardness"),   S_INIT("hardness_from"),
        S_INIT("features"),    S_INIT("verdicts"),   S_INIT("gold_status"),
        S_INIT("pred_status"), S_INIT("gold_ms"),    S_INIT("pred_ms"),
        S_INIT("interaction"), S_INIT("turn"),       S_INIT("samples"),
        S_INIT("at"),          S_INIT("same_as"),    S_INIT("vote"),
        S_INIT("sample"),      S_INIT("votes"),      S_INIT("of"),
        S_INIT("v"),           S_INIT("reason"),     S_INIT("notes"),
        S_INIT("variant"),     S_INIT("killed_by"),  S_INIT("columns"),
        S_INIT("parts"),       S_INIT("in_gold"),    S_INIT("in_pred"),
        S_INIT("distance"),    S_INIT("similarity"), S_INIT("score"),
        S_INIT("confidence"),  S_INIT("database"),   S_INIT("line"),
    };
    for (ptrdiff_t i = 0; i < countof(known); i++) {
        if (str_equal(key, known[i])) {
            return true;
        }
    }
    return false;
}

static bool is_query(str key)
{
    return str_equal(key, S("gold")) || str_equal(key, S("pred"));
}

static bool is_map(str key)
{
    return str_equal(key, S("verdicts")) || str_equal(key, S("features"))
           || str_equal(key, S("parts"));
}

// Comments go, too: they may say anything. So does what is no token.
static str without_literals(arena *a, str sql, dialect d)
{
    buf b = buf_new(a);
    lexer l = lex_begin(sql, d);
    ptrdiff_t end = 0;
    for (token t = lex_next(&l); t.kind != TOKEN_END; t = lex_next(&l)) {
        bool is_comment = t.kind == TOKEN_COMMENT;
        if (t.pos > end || is_comment) {
            buf_char(&b, ' ');
        }
        end = t.pos + t.len;
        bool is_value = t.kind == TOKEN_STRING || t.kind == TOKEN_STRING_OR_NAME
                        || t.kind == TOKEN_NUMBER || t.kind == TOKEN_ERROR;
        buf_add(&b, is_comment ? S("")
                    : is_value ? S("?")
                               : token_text(sql, t));
    }
    return buf_str(&b);
}

static json *redact_query(json *j, arena *a, dialect d)
{
    if (j->kind == JSON_KIND_STRING) {
        j->text = without_literals(a, j->text, d);
    }
    for (json *m = j->child; m; m = m->next) {
        redact_query(m, a, d);
    }
    return j;
}

// Takes out of `j` what may not stay.
static void redact(json *j, arena *a, dialect d, bool keeps_all)
{
    json **link = &j->child;
    for (json *m = j->child; m; m = m->next) {
        bool is_member = j->kind == JSON_KIND_OBJECT && !keeps_all;
        if (is_member && is_query(m->key)) {
            *link = redact_query(m, a, d);
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
    buf b = buf_new(a);
    json_add(&b, j);
    return buf_str(&b);
}
