/*
 * translate_standard.c - what the standard has and SQLite lacks: intervals that
 * say their unit, SUBSTRING and TRIM with words, SEMI and ANTI JOIN, names for
 * the columns of a derived table.
 *
 * Method      A SEMI JOIN is EXISTS in WHERE, for what is joined to its left
 *             side after it keeps rows of it apart.
 */
#include "sql/ast_rewrite.h"
#include "sql/translate.h"
#include "sql/translate_internal.h"

#include <assert.h>

/* Intervals. */

// '3' of INTERVAL '3' MONTH; '30 DAY' says its unit, too.
bool translate_interval(const ast *n, str *number, str *unit)
{
    const ast *value = n->kid[INTERVAL_VALUE];
    str s = value ? value->text : (str){0};
    *unit = n->text;
    *number = s;
    bool is_text = value && value->kind == AST_STRING && s.len > 2
                   && s.ptr[0] == '\'' && s.ptr[s.len - 1] == '\'';
    if (is_text) {
        str rest = str_trim(str_sub(s, 1, s.len - 1));
        *number = str_cut(&rest, ' ');
        *unit = n->text.len > 0 ? n->text : str_trim(rest);
        is_text = n->text.len == 0 || rest.len == 0;
    }
    int64_t count = 0;
    bool is_digits = number->len > 0 && number->len < 6
                     && is_digit(number->ptr[0]) && str_to_int(*number, &count);
    bool ends = unit->len > 1 && to_lower(unit->ptr[unit->len - 1]) == 's';
    *unit = ends ? str_sub(*unit, 0, unit->len - 1) : *unit;
    return is_digits && (is_text || (value && value->kind == AST_NUMBER));
}

/* Numbers. */

// The units of 10^-scale of a decimal literal; false: it has too many digits.
static bool decimal_of(arena *a, const ast *n, int64_t *units, int *scale)
{
    str s = n->kind == AST_NUMBER && n->text.len <= 9 ? n->text : (str){0};
    ptrdiff_t point = str_find(s, S("."), 0);
    str whole = str_sub(s, 0, point < 0 ? s.len : point);
    str part = str_skip(s, whole.len + 1);
    *scale = (int)part.len;
    return str_to_int(
        arena_printf(a, "%.*s%.*s", STR_ARG(whole), STR_ARG(part)), units);
}

static int64_t widen(int64_t units, int by)
{
    for (; by > 0; by--) {
        units *= 10;
    }
    return units;
}

// 0.06 - 0.01 is 0.05 where literals are decimals: SQLite's is a little less.
ast *translate_decimals(translator *t, ast *n)
{
    int64_t units[2];
    int scale[2];
    bool adds = n->form == OPERATOR_ADD || n->form == OPERATOR_SUBTRACT;
    if (t->words.from == DIALECT_BIGQUERY || !adds
        || !decimal_of(t->words.a, n->kid[BINARY_LEFT], &units[0], &scale[0])
        || !decimal_of(t->words.a, n->kid[BINARY_RIGHT], &units[1], &scale[1])
        || scale[0] + scale[1] == 0) {
        return n;
    }
    int most = scale[0] > scale[1] ? scale[0] : scale[1];
    int64_t left = widen(units[0], most - scale[0]);
    int64_t right = widen(units[1], most - scale[1]);
    int64_t sum = n->form == OPERATOR_ADD ? left + right : left - right;
    int64_t one = widen(1, most);
    int64_t size = sum < 0 ? -sum : sum;
    str text =
        arena_printf(t->words.a, "%s%lld.%0*lld", sum < 0 ? "-" : "",
                     (long long)(size / one), most, (long long)(size % one));
    return translate_expression(t, text, NULL);
}

/* FROM. */

// EXISTS of the right side.
static ast *partner_test(translator *t, ast *join)
{
    ast *exists = translate_expression(
        t, S("EXISTS (SELECT 1 FROM x WHERE ?1)"), &join->kid[JOIN_ON]);
    assert(exists->kind == AST_EXISTS);
    exists->kid[EXISTS_QUERY]->kid[SELECT_FROM] = join->kid[JOIN_RIGHT];
    return join->form == JOIN_FORM_SEMI
               ? exists
               : translate_expression(t, S("NOT ?1"), &exists);
}

static bool is_half(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_JOIN
           && (n->form == JOIN_FORM_SEMI || n->form == JOIN_FORM_ANTI);
}

bool translate_moves_names(const ast *query)
{
    return ast_find(query, is_half, NULL);
}

void translate_half_joins(translator *t, ast *select)
{
    ast **at = &select->kid[SELECT_FROM];
    while (*at && (*at)->kind == AST_JOIN) {
        ast *n = *at;
        if (is_half(NULL, n) && n->kid[JOIN_ON]
            && !(n->flags & AST_FLAG_NATURAL)) {
            select->kid[SELECT_WHERE] =
                ast_both(t->words.a, select->kid[SELECT_WHERE],
                         partner_test(t, n), t->words.scratch);
            *at = n->kid[JOIN_LEFT];
        } else if (is_half(NULL, n) || n->form == JOIN_FORM_RIGHT
                   || n->form == JOIN_FORM_FULL) {
            break;
        } else {
            at = &n->kid[JOIN_LEFT];
        }
    }
    if (*at && ast_find(select->kid[SELECT_FROM], is_half, NULL)) {
        translate_refuse(t, select, S("this SEMI or ANTI JOIN"));
    }
}

// (SELECT ...) AS t(x, y): the names are those of a CTE.
ast *translate_column_names(translator *t, ast *alias)
{
    ast *of = alias->kid[ALIAS_EXPR];
    if (!alias->kid[ALIAS_COLUMNS] || of->kind != AST_SUBQUERY) {
        return alias;
    }
    ast *named = translate_expression(
        t,
        S("(WITH named_columns (x) AS (SELECT ?1) SELECT * FROM "
          "named_columns)"),
        &of->kid[SUBQUERY_QUERY]);
    ast *cte = named->kid[SUBQUERY_QUERY]->kid[SELECT_WITH]->kid[WITH_CTES];
    cte->kid[CTE_COLUMNS] = alias->kid[ALIAS_COLUMNS];
    alias->kid[ALIAS_COLUMNS] = NULL;
    alias->kid[ALIAS_EXPR] = named;
    return alias;
}
