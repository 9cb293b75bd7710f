/*
 * sql_eval_nest.c - kinds of tokens, and which of them belong together as the
 * two ends of a nesting group.
 *
 * Method      One pass over the tokens for each pair of delimiters, in the
 *             order of NESTS. Inside a group that an earlier pass made, a
 *             delimiter finds partners in that group only: the group's begin
 *             puts a barrier on the stack of open delimiters and its end takes
 *             everything down to it away. What finds no partner is an ordinary
 *             token.
 *
 * Cost        Linear; no recursion, however deep the text nests.
 */
#include "metric/sql_eval_item.h"

static const struct {
    str word;
    item_kind kind;
} KEYWORD_KINDS[] = {
    {{"NULL", 4}, ITEM_NULL},
    {{"AS", 2}, ITEM_AS},
    {{"CURRENT_DATE", 12}, ITEM_NOW},
    {{"CURRENT_TIME", 12}, ITEM_NOW},
    {{"CURRENT_TIMESTAMP", 17}, ITEM_NOW},
    {{"TIMESTAMP", 9}, ITEM_TIMESTAMP},
    {{"DAY", 3}, ITEM_UNIT},
    {{"HOUR", 4}, ITEM_UNIT},
    {{"MINUTE", 6}, ITEM_UNIT},
    {{"MONTH", 5}, ITEM_UNIT},
    {{"SECOND", 6}, ITEM_UNIT},
    {{"YEAR", 4}, ITEM_UNIT},
    {{"WHERE", 5}, ITEM_WHERE_WORD},
    {{"ORDER BY", 8}, ITEM_WHERE_STOP},
    {{"GROUP BY", 8}, ITEM_WHERE_STOP},
    {{"LIMIT", 5}, ITEM_WHERE_STOP},
    {{"UNION", 5}, ITEM_WHERE_STOP},
    {{"UNION ALL", 9}, ITEM_WHERE_STOP},
    {{"EXCEPT", 6}, ITEM_WHERE_STOP},
    {{"HAVING", 6}, ITEM_WHERE_STOP},
    {{"RETURNING", 9}, ITEM_WHERE_STOP},
    {{"INTO", 4}, ITEM_WHERE_STOP},
    {{"VALUES", 6}, ITEM_VALUES_WORD},
    {{"TABLE", 5}, ITEM_TABLE},
};

static item_kind kind_of_keyword(str text)
{
    for (ptrdiff_t i = 0; i < countof(KEYWORD_KINDS); i++) {
        if (str_equal_fold(text, KEYWORD_KINDS[i].word)) {
            return KEYWORD_KINDS[i].kind;
        }
    }
    return ITEM_KEYWORD;
}

static item_kind kind_of_punctuation(str text)
{
    if (text.len == 2) {
        return text.ptr[1] == ':' ? ITEM_CAST : ITEM_ASSIGN;
    }
    switch (text.ptr[0]) {
    case '.': return ITEM_DOT;
    case ',': return ITEM_COMMA;
    case ';': return ITEM_SEMICOLON;
    default: return ITEM_PUNCTUATION;
    }
}

item_kind item_kind_of(sql_eval_token t)
{
    switch (t.class) {
    case SQLPARSE_COMMENT: return ITEM_COMMENT;
    case SQLPARSE_BLANK: return ITEM_BLANK;
    case SQLPARSE_PUNCTUATION: return kind_of_punctuation(t.text);
    case SQLPARSE_WILDCARD: return ITEM_WILDCARD;
    case SQLPARSE_NAME: return ITEM_NAME;
    case SQLPARSE_PLACEHOLDER: return ITEM_PLACEHOLDER;
    case SQLPARSE_COMPARISON: return ITEM_COMPARE;
    case SQLPARSE_NUMBER:
        return str_find_fold(t.text, S("x"), 0) < 0 ? ITEM_NUMBER : ITEM_HEX;
    case SQLPARSE_STRING: return ITEM_STRING;
    case SQLPARSE_SYMBOL: return ITEM_SYMBOL;
    case SQLPARSE_OPERATOR: return ITEM_OPERATOR;
    case SQLPARSE_KEYWORD: return kind_of_keyword(t.text);
    case SQLPARSE_ORDER: return ITEM_ORDER;
    case SQLPARSE_DML: return ITEM_DML;
    case SQLPARSE_DDL: return ITEM_DDL;
    case SQLPARSE_CTE: return ITEM_CTE;
    case SQLPARSE_TYPE: return ITEM_TYPE;
    case SQLPARSE_TIMEZONE: return ITEM_TIMEZONE;
    case SQLPARSE_COMMAND:
    case SQLPARSE_LITERAL:
    case SQLPARSE_OTHER:
    case SQLPARSE_CLASS_COUNT: break;
    }
    return ITEM_OTHER;
}

/* --- pairs ------------------------------------------------------------ */

typedef struct nest {
    sqlparse_class class;
    str open;
    str open_too;  // or this
    str close;
    item_kind kind;
} nest;

static const nest NESTS[] = {
    {SQLPARSE_PUNCTUATION, {"[", 1}, {"", 0}, {"]", 1}, ITEM_BRACKETS},
    {SQLPARSE_PUNCTUATION, {"(", 1}, {"", 0}, {")", 1}, ITEM_PARENTHESIS},
    {SQLPARSE_KEYWORD, {"CASE", 4}, {"", 0}, {"END", 3}, ITEM_CASE},
    {SQLPARSE_KEYWORD, {"IF", 2}, {"", 0}, {"END IF", 6}, ITEM_BLOCK},
    {SQLPARSE_KEYWORD, {"FOR", 3}, {"FOREACH", 7}, {"END LOOP", 8}, ITEM_BLOCK},
    {SQLPARSE_KEYWORD, {"BEGIN", 5}, {"", 0}, {"END", 3}, ITEM_BLOCK},
};

static bool opens(const nest *n, sql_eval_token t)
{
    return t.class == n->class
           && (str_equal_fold(t.text, n->open)
               || str_equal_fold(t.text, n->open_too));
}

static bool closes(const nest *n, sql_eval_token t)
{
    return t.class == n->class && str_equal_fold(t.text, n->close);
}

item_kind item_kind_of_group(sql_eval_token t)
{
    for (ptrdiff_t i = 0; i < countof(NESTS); i++) {
        if (opens(&NESTS[i], t)) {
            return NESTS[i].kind;
        }
    }
    return ITEM_BLOCK;
}

enum {
    BARRIER = -1  // in place of an open delimiter
};

static void pair_up(const nest *n,
                    const sql_eval_text *t,
                    int32_t *partner,
                    arena scratch)
{
    int32_t *stack = arena_new(&scratch, int32_t, t->len);
    ptrdiff_t top = 0;
    for (ptrdiff_t i = 0; i < t->len; i++) {
        if (partner[i] > i) {
            stack[top++] = BARRIER;
        } else if (partner[i] != NO_PARTNER) {
            while (top > 0 && stack[--top] != BARRIER) {
            }
        } else if (opens(n, t->ptr[i])) {
            stack[top++] = (int32_t)i;
        } else if (closes(n, t->ptr[i]) && top > 0
                   && stack[top - 1] != BARRIER) {
            partner[i] = stack[--top];
            partner[partner[i]] = (int32_t)i;
        }
    }
}

void sql_eval_pairs(int32_t *partner, const sql_eval_text *t, arena scratch)
{
    for (ptrdiff_t i = 0; i < t->len; i++) {
        partner[i] = NO_PARTNER;
    }
    for (ptrdiff_t i = 0; i < countof(NESTS); i++) {
        pair_up(&NESTS[i], t, partner, scratch);
    }
}
