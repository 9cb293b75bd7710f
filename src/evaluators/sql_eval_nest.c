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
#include "base/words.h"
#include "evaluators/sql_eval_item.h"

#include <assert.h>

static const struct {
    str word;
    item_kind kind;
} KEYWORD_KINDS[] = {
    {S_INIT("NULL"), ITEM_NULL},
    {S_INIT("AS"), ITEM_AS},
    {S_INIT("CURRENT_DATE"), ITEM_NOW},
    {S_INIT("CURRENT_TIME"), ITEM_NOW},
    {S_INIT("CURRENT_TIMESTAMP"), ITEM_NOW},
    {S_INIT("TIMESTAMP"), ITEM_TIMESTAMP},
    {S_INIT("DAY"), ITEM_UNIT},
    {S_INIT("HOUR"), ITEM_UNIT},
    {S_INIT("MINUTE"), ITEM_UNIT},
    {S_INIT("MONTH"), ITEM_UNIT},
    {S_INIT("SECOND"), ITEM_UNIT},
    {S_INIT("YEAR"), ITEM_UNIT},
    {S_INIT("WHERE"), ITEM_WHERE_WORD},
    {S_INIT("ORDER BY"), ITEM_WHERE_STOP},
    {S_INIT("GROUP BY"), ITEM_WHERE_STOP},
    {S_INIT("LIMIT"), ITEM_WHERE_STOP},
    {S_INIT("UNION"), ITEM_WHERE_STOP},
    {S_INIT("UNION ALL"), ITEM_WHERE_STOP},
    {S_INIT("EXCEPT"), ITEM_WHERE_STOP},
    {S_INIT("HAVING"), ITEM_WHERE_STOP},
    {S_INIT("RETURNING"), ITEM_WHERE_STOP},
    {S_INIT("INTO"), ITEM_WHERE_STOP},
    {S_INIT("VALUES"), ITEM_VALUES_WORD},
    {S_INIT("TABLE"), ITEM_TABLE},
};

static item_kind kind_of_keyword(str text)
{
    ptrdiff_t i = words_at_fold(KEYWORD_KINDS, word, text);
    return i >= 0 ? KEYWORD_KINDS[i].kind : ITEM_KEYWORD;
}

static item_kind kind_of_punctuation(str text)
{
    assert(text.len > 0);  // no token is empty
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

// The kind of what has one kind for its whole class.
static const item_kind CLASS_KINDS[SQLPARSE_CLASS_COUNT] = {
    [SQLPARSE_COMMENT] = ITEM_COMMENT,
    [SQLPARSE_BLANK] = ITEM_BLANK,
    [SQLPARSE_WILDCARD] = ITEM_WILDCARD,
    [SQLPARSE_NAME] = ITEM_NAME,
    [SQLPARSE_PLACEHOLDER] = ITEM_PLACEHOLDER,
    [SQLPARSE_COMMAND] = ITEM_OTHER,
    [SQLPARSE_COMPARISON] = ITEM_COMPARE,
    [SQLPARSE_NUMBER] = ITEM_NUMBER,
    [SQLPARSE_STRING] = ITEM_STRING,
    [SQLPARSE_SYMBOL] = ITEM_SYMBOL,
    [SQLPARSE_OPERATOR] = ITEM_OPERATOR,
    [SQLPARSE_LITERAL] = ITEM_OTHER,
    [SQLPARSE_ORDER] = ITEM_ORDER,
    [SQLPARSE_DML] = ITEM_DML,
    [SQLPARSE_DDL] = ITEM_DDL,
    [SQLPARSE_CTE] = ITEM_CTE,
    [SQLPARSE_TYPE] = ITEM_TYPE,
    [SQLPARSE_TIMEZONE] = ITEM_TIMEZONE,
    [SQLPARSE_OTHER] = ITEM_OTHER,
};

item_kind item_kind_of(sql_eval_token t)
{
    if (t.class == SQLPARSE_PUNCTUATION) {
        return kind_of_punctuation(t.text);
    }
    if (t.class == SQLPARSE_KEYWORD) {
        return kind_of_keyword(t.text);
    }
    bool is_hex =
        t.class == SQLPARSE_NUMBER && str_find_fold(t.text, S("x"), 0) >= 0;
    return is_hex ? ITEM_HEX : CLASS_KINDS[t.class];
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
    {SQLPARSE_PUNCTUATION, S_INIT("["), S_INIT(""), S_INIT("]"), ITEM_BRACKETS},
    {SQLPARSE_PUNCTUATION, S_INIT("("), S_INIT(""), S_INIT(")"),
     ITEM_PARENTHESIS},
    {SQLPARSE_KEYWORD, S_INIT("CASE"), S_INIT(""), S_INIT("END"), ITEM_CASE},
    {SQLPARSE_KEYWORD, S_INIT("IF"), S_INIT(""), S_INIT("END IF"), ITEM_BLOCK},
    {SQLPARSE_KEYWORD, S_INIT("FOR"), S_INIT("FOREACH"), S_INIT("END LOOP"),
     ITEM_BLOCK},
    {SQLPARSE_KEYWORD, S_INIT("BEGIN"), S_INIT(""), S_INIT("END"), ITEM_BLOCK},
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
