/*
 * sql_eval_mark.c - what grouping finds out for layout: which tokens begin
 * lines, which parentheses are complete. [definitions/sql_eval.md#text]
 */
#include "evaluators/sql_eval_item.h"

void mark_token(grouper *g, int32_t token, sql_eval_mark m)
{
    g->t->ptr[token].marks |= (uint16_t)m;
}

void mark_link(grouper *g, int32_t token, sql_eval_mark m, int32_t link)
{
    mark_token(g, token, m);
    g->t->ptr[token].link = link;
}

static bool has_query_word(const grouper *g)
{
    for (ptrdiff_t i = 0; i < g->n; i++) {
        if (item_is(g->items[i].kind, ITEM(DML) | ITEM(DDL))) {
            return true;
        }
    }
    return false;
}

// Marks the ends of a level that is a parenthesis or a CASE.
void mark_ends(grouper *g, level l)
{
    const str open = g->t->ptr[l.first].text;
    if (!l.is_nest) {
        return;
    }
    if (str_equal(open, S("("))) {
        mark_link(g, l.first, SQL_EVAL_PAIRED, l.last);
        mark_token(g, l.last, SQL_EVAL_PAIRED);
        if (has_query_word(g)) {
            mark_token(g, l.first, SQL_EVAL_BREAK);
        }
        if (g->n > 2 && g->items[g->n - 2].kind == ITEM_WHERE) {
            mark_token(g, l.last, SQL_EVAL_LOOSE);
        }
    } else if (str_equal_fold(open, S("CASE"))) {
        mark_link(g, l.first, SQL_EVAL_CASE, l.last);
    }
}

// Parts of keywords that begin a line.
static const str BREAK_PARTS[] = {
    S_INIT("FROM"),     S_INIT("AND"),    S_INIT("OR"),     S_INIT("GROUP BY"),
    S_INIT("ORDER BY"), S_INIT("UNION"),  S_INIT("VALUES"), S_INIT("SET"),
    S_INIT("EXCEPT"),   S_INIT("HAVING"), S_INIT("LIMIT"),
};

static bool is_break_keyword(str word)
{
    for (ptrdiff_t i = 0; i < countof(BREAK_PARTS); i++) {
        if (str_find(word, BREAK_PARTS[i], 0) >= 0) {
            return true;
        }
    }
    return str_ends(word, S("JOIN"));
}

static bool is_parenthesis(const grouper *g, level l)
{
    return l.is_nest && str_equal(g->t->ptr[l.first].text, S("("));
}

// The words of a CASE that begin lines.
static void mark_case_words(grouper *g, level l)
{
    if (!l.is_nest || !str_equal_fold(g->t->ptr[l.first].text, S("CASE"))) {
        return;
    }
    for (ptrdiff_t i = 1; i < g->n; i++) {
        const str word = g->t->ptr[g->items[i].first].text;
        if (g->items[i].kind == ITEM_KEYWORD
            && str_among_fold(word, "WHEN ELSE END")) {
            mark_token(g, g->items[i].first, SQL_EVAL_BREAK);
        }
    }
}

// Marks the words of a level that begin lines. The AND of a BETWEEN does not,
// nor does the second SELECT of a parenthesis.
void mark_breaks(grouper *g, level l)
{
    const item_set verbs = is_parenthesis(g, l) ? 0 : ITEM(DML) | ITEM(DDL);
    ptrdiff_t betweens = 0;  // that have not met their AND
    for (ptrdiff_t i = 0; i < g->n; i++) {
        const item at = g->items[i];
        const str word = g->t->ptr[at.first].text;
        bool breaks = item_is(at.kind, verbs);
        if (item_is(at.kind, ITEM_PLAIN_KEYWORDS) && is_break_keyword(word)) {
            const bool closes = betweens > 0 && str_equal(word, S("AND"));
            betweens = closes ? betweens - 1 : 0;
            breaks = !closes;
        }
        betweens += str_equal(word, S("BETWEEN"));
        if (breaks) {
            mark_token(g, at.first, SQL_EVAL_BREAK);
        }
    }
    mark_case_words(g, l);
}

// When the WHERE of a clause has become part of a list, the next one in the
// clause begins the line instead; without one no line begins in it at all.
void mark_lost_where(grouper *g, level l)
{
    if (!l.in_where || g->items[0].kind == ITEM_WHERE_WORD) {
        return;
    }
    for (ptrdiff_t i = 1; i < g->n; i++) {
        if (g->items[i].kind == ITEM_WHERE_WORD) {
            mark_token(g, g->items[i].first, SQL_EVAL_BREAK);
            return;
        }
    }
    mark_token(g, l.first, SQL_EVAL_FLAT);
}
