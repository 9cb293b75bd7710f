/*
 * parse_ddl_rule.c - columns and constraints of CREATE TABLE.
 *
 * Method      No comma stands between the constraints of a column: each ends
 *             where a word begins another one. What stands between, or takes
 *             the place of a constraint, is a clause of some system that says
 *             nothing about the rows, and is kept word by word; but one that
 *             says that the system does not see to the constraint costs the
 *             constraint. So an unknown clause costs nothing, and a known one
 *             an assumption at most. Look-ahead runs on a copy of the parser.
 */
#include "sql/parse_ddl.h"

#include <assert.h>

static bool at_any(const parser *p, const char *const *list, ptrdiff_t n)
{
    bool is = false;
    for (ptrdiff_t i = 0; i < n && !is; i++) {
        is = at_word(p, list[i]);
    }
    return is;
}

bool ddl_is_after(const parser *p, const char *word)
{
    parser before = *p;
    before.at -= p->at > p->first;
    return at_word(&before, word);
}

// The words that begin a constraint of a column: not those of ON DELETE SET
// NULL and NOT VALID.
static bool rule_follows(const parser *p)
{
    static const char *const words[] = {
        "constraint", "primary", "unique",  "null",      "check", "references",
        "foreign",    "default", "collate", "generated", "as",
    };
    return at_word(p, "not")
               ? token_is_key(peek(p), KEYWORD_NULL)
               : at_any(p, words, countof(words)) && !ddl_is_after(p, "set");
}

static bool item_ends(const parser *p)
{
    return p->at->kind == TOKEN_END || at_op(p, OP_COMMA)
           || at_op(p, OP_PAREN_CLOSE);
}

ast *ddl_words(parser *p, int least, ddl_end *ends)
{
    int n = 0;
    int open = 0;
    for (parser ahead = *p; ahead.at->kind != TOKEN_END; n++) {
        if (open == 0 && n >= least
            && (item_ends(&ahead) || (ends && ends(&ahead)))) {
            break;
        }
        open += at_op(&ahead, OP_PAREN_OPEN)    ? 1
                : at_op(&ahead, OP_PAREN_CLOSE) ? -1
                                                : 0;
        parse_skip(&ahead);
    }
    return n > 0 ? parse_n_words(p, n) : NULL;
}

// Oracle's DISABLE and NOVALIDATE, T-SQL's NOCHECK, NOT VALID, NOT ENFORCED; or
// WHERE, for some of the rows only. Where no key is ever enforced, such words
// say nothing about the rows.
bool ddl_is_unenforced(const parser *p)
{
    static const char *const words[] = {"disable", "novalidate", "nocheck",
                                        "where"};
    parser next = *p;
    parse_skip(&next);
    return p->dialect != DIALECT_BIGQUERY && p->dialect != DIALECT_SNOWFLAKE
           && (at_any(p, words, countof(words))
               || (at_word(p, "not")
                   && (at_word(&next, "valid") || at_word(&next, "enforced"))));
}

// references -> REFERENCES table [( names )]
static void parse_references(parser *p, ast *n)
{
    n->form = CONSTRAINT_FORM_FOREIGN;
    if (!parse_take_word(p, "references")) {
        parse_expected(p, "REFERENCES");
        return;
    }
    ast *parent = node_begin(p, AST_TABLE);
    ddl_take_path(p, parent, TABLE_PATH);
    n->kid[CONSTRAINT_PARENT] = node_end(p, parent);
    if (!p->lost && at_op(p, OP_PAREN_OPEN)) {
        n->kid[CONSTRAINT_TARGETS] = ddl_names(p);
    }
}

// generated -> [GENERATED (ALWAYS | BY DEFAULT)] AS ( expr )
// What follows AS without parentheses is no expression (IDENTITY, ROW START)
// but in T-SQL, which leaves GENERATED out.
static void parse_generated(parser *p, ast *n)
{
    parser ahead = *p;
    int words = 1;
    for (; !at_word(&ahead, "as") && !item_ends(&ahead); words++) {
        parse_skip(&ahead);
    }
    parse_skip(&ahead);
    bool is_bare = p->dialect == DIALECT_TSQL && words == 1;
    if (!is_bare && !at_op(&ahead, OP_PAREN_OPEN)) {
        n->kid[CONSTRAINT_AFTER] = ddl_words(p, words, rule_follows);
        return;
    }
    p->at = ahead.at;
    n->form = CONSTRAINT_FORM_GENERATED;
    n->kid[CONSTRAINT_EXPR] =
        is_bare ? parse_expr(p) : parse_parened(p, parse_expr);
}

static void parse_collation(parser *p, ast *n)
{
    n->form = CONSTRAINT_FORM_COLLATE;
    ast *name = node_begin(p, AST_COLUMN);
    ddl_take_path(p, name, COLUMN_PATH);
    n->kid[CONSTRAINT_EXPR] = node_end(p, name);
}

// What follows PRIMARY KEY or UNIQUE: in a table the name of the index and
// other words, then its columns.
static void parse_key(parser *p, ast *n, bool of_column)
{
    if (!parse_take_word(p, "key")) {
        parse_take_word(p, "index");
    }
    while (!of_column && !item_ends(p) && !at_op(p, OP_PAREN_OPEN)) {
        parse_skip(p);
    }
    if (!of_column) {
        n->kid[CONSTRAINT_COLUMNS] = ddl_sorts(p);
    }
}

static void parse_foreign(parser *p, ast *n, bool of_column)
{
    parse_take_word(p, "key");
    while (ddl_name_follows(p) && !at_word(p, "references")) {
        parse_skip(p);  // the name of an index
    }
    if (!of_column || at_op(p, OP_PAREN_OPEN)) {
        n->kid[CONSTRAINT_COLUMNS] = ddl_sorts(p);
    }
    parse_references(p, n);
}

static void parse_default(parser *p, ast *n)
{
    n->form = CONSTRAINT_FORM_DEFAULT;
    if (at_word(p, "on")) {
        parse_n_words(p, 2);  // Oracle's ON NULL
    }
    n->kid[CONSTRAINT_EXPR] =
        parse_expr_above(p, operator_priority(OPERATOR_CAST, p->dialect));
}

static bool take_not_null(parser *p)
{
    return parse_take_keys(p, KEYWORD_NOT, KEYWORD_NULL);
}

static void parse_rule_body(parser *p, ast *n, bool of_column)
{
    if (parse_take_word(p, "primary")) {
        n->form = CONSTRAINT_FORM_PRIMARY;
        parse_key(p, n, of_column);
    } else if (parse_take_word(p, "unique")) {
        n->form = CONSTRAINT_FORM_UNIQUE;
        parse_key(p, n, of_column);
    } else if (take_not_null(p)) {
        n->form = CONSTRAINT_FORM_NOT_NULL;
    } else if (parse_take_word(p, "null")) {
        n->form = CONSTRAINT_FORM_NULL;
    } else if (parse_take_word(p, "check")) {
        n->form = CONSTRAINT_FORM_CHECK;
        n->kid[CONSTRAINT_EXPR] = parse_parened(p, parse_expr);
    } else if (at_word(p, "references")) {
        parse_references(p, n);
    } else if (parse_take_word(p, "foreign")) {
        parse_foreign(p, n, of_column);
    } else if (parse_take_word(p, "default")) {
        parse_default(p, n);
    } else if (parse_take_word(p, "collate")) {
        parse_collation(p, n);
    } else if (at_word(p, "generated") || at_word(p, "as")) {
        parse_generated(p, n);
    }
}

// The words behind a constraint, or those of an unknown one.
static void parse_after(parser *p, ast *n, int least, ddl_end *ends)
{
    parser said = *p;
    bool is_unenforced = false;
    bool is_relied_on = false;  // Oracle's RELY: the rows are as it says
    n->kid[CONSTRAINT_AFTER] = ddl_words(p, least, ends);
    for (; said.at < p->at; said.at++) {
        is_unenforced |= ddl_is_unenforced(&said);
        is_relied_on |= at_word(&said, "rely");
    }
    n->flags |= is_unenforced && !is_relied_on ? AST_FLAG_NOT : 0;
}

// SQLite needs no comma between the constraints of a table.
static bool next_follows(const parser *p)
{
    return ddl_constraint_follows(p) && !ddl_is_after(p, "using");  // INDEX
}

// rule -> [CONSTRAINT [name]] body words
static ast *parse_rule(parser *p, bool of_column)
{
    ast *n = node_begin(p, AST_CONSTRAINT);
    bool has_name = parse_take_word(p, "constraint") && !rule_follows(p)
                    && ddl_name_follows(p);
    for (; has_name; has_name = parse_take_op(p, OP_DOT)) {
        parse_skip(p);
    }
    const token *begin = p->at;
    parse_rule_body(p, n, of_column);
    if (!p->lost && !n->kid[CONSTRAINT_AFTER]) {
        // SQLite: a name and nothing else
        int least = p->at == begin && !item_ends(p);
        parse_after(p, n, least,
                    of_column                          ? rule_follows
                    : n->form == CONSTRAINT_FORM_OTHER ? NULL
                                                       : next_follows);
    }
    return node_end(p, n);
}

// column -> name [type] { rule }
static ast *parse_column_def(parser *p)
{
    ast *n = node_begin(p, AST_COLUMN_DEF);
    ast_list rules = {0};
    if (!ddl_name_follows(p)) {
        return parse_expected(p, "a column or a constraint");
    }
    take_name(p, n);
    if (word_follows(p) && !rule_follows(p)) {
        n->kid[COLUMN_DEF_TYPE] = parse_type(p);
    }
    while (!p->lost && !item_ends(p)) {
        list_add(&rules, parse_rule(p, true));
    }
    n->kid[COLUMN_DEF_RULES] = rules.first;
    return node_end(p, n);
}

// MySQL's KEY name (columns), T-SQL's INDEX name CLUSTERED (columns), and not
// a column of that name with a type.
static bool index_follows(const parser *p)
{
    parser ahead = *p;
    parse_skip(&ahead);
    if (at_word(p, "fulltext") || at_word(p, "spatial")) {
        return token_is_word(*ahead.at);
    }
    while (ddl_name_follows(&ahead) && !at_word(&ahead, "using")
           && (!rule_follows(&ahead) || at_word(&ahead, "unique"))) {
        parse_skip(&ahead);
    }
    return (at_word(p, "key") || at_word(p, "index"))
           && (at_word(&ahead, "using")
               || (at_op(&ahead, OP_PAREN_OPEN)
                   && peek(&ahead)->kind != TOKEN_NUMBER
                   && peek(&ahead)->kind != TOKEN_STRING)
               || p->dialect == DIALECT_TSQL);
}

bool ddl_constraint_follows(const parser *p)
{
    // What a table may say besides its columns; NULL: whatever follows.
    static const char *const heads[][2] = {
        {"constraint", NULL},    {"unique", NULL},     {"primary", "key"},
        {"foreign", "key"},      {"exclude", "using"}, {"period", "for"},
        {"supplemental", "log"},
    };
    parser next = *p;
    parse_skip(&next);
    bool is = false;
    for (ptrdiff_t i = 0; i < countof(heads) && !is; i++) {
        is = at_word(p, heads[i][0])
             && (!heads[i][1] || at_word(&next, heads[i][1]));
    }
    bool opens = at_op(&next, OP_PAREN_OPEN);
    return is
           || (opens
               && (at_word(p, "check") || at_word(p, "exclude")
                   || at_word(p, "default")))  // T-SQL's ADD DEFAULT (0) FOR a
           || (at_word(p, "like") && ddl_name_follows(&next))
           || index_follows(p);
}

ast *ddl_item(parser *p)
{
    return ddl_constraint_follows(p) ? parse_rule(p, false)
                                     : parse_column_def(p);
}

// ALTER [COLUMN] name SET NOT NULL
static ast *parse_set_not_null(parser *p)
{
    ast *n = node_begin(p, AST_CONSTRAINT);
    parse_take_word(p, "column");
    ast *sort = node_begin(p, AST_SORT);
    ast *column = node_begin(p, AST_COLUMN);
    if (!ddl_name_follows(p)) {
        return NULL;
    }
    take_name(p, column);
    sort->kid[SORT_EXPR] = node_end(p, column);
    n->kid[CONSTRAINT_COLUMNS] = node_end(p, sort);
    n->form = CONSTRAINT_FORM_NOT_NULL;
    return parse_take_word(p, "set") && take_not_null(p) ? node_end(p, n)
                                                         : NULL;
}

// DROP CONSTRAINT, NOCHECK CONSTRAINT, RENAME, ALTER c TYPE: what was said
// before does not hold.
static bool takes_back(const parser *p)
{
    static const char *const words[] = {"drop", "rename", "change", "nocheck"};
    parser ahead = *p;
    parse_skip(&ahead);
    if (!at_word(p, "alter")) {
        return at_any(p, words, countof(words))
               || (at_word(p, "disable")
                   && (at_word(&ahead, "constraint")
                       || at_word(&ahead, "primary")
                       || at_word(&ahead, "unique")));
    }
    parse_take_word(&ahead, "column");
    parse_skip(&ahead);  // its name
    parser next = ahead;
    parse_skip(&next);
    return at_word(&ahead, "set") ? at_word(&next, "data")
           : at_word(&ahead, "drop")
               ? at_word(&next, "not")
               : word_follows(&ahead) && !at_word(&ahead, "add")
                     && !at_word(&ahead, "reset");
}

ast *ddl_alteration(parser *p)
{
    if (takes_back(p)) {
        ast *n = node_begin(p, AST_CONSTRAINT);
        n->form = CONSTRAINT_FORM_OTHER;
        n->kid[CONSTRAINT_AFTER] = ddl_words(p, 0, NULL);
        return node_end(p, n);
    }
    if (parse_take_word(p, "alter")) {
        return parse_set_not_null(p);
    }
    if (!parse_take_word(p, "add") && !ddl_constraint_follows(p)) {
        return NULL;
    }
    parse_take_op(p, OP_PAREN_OPEN);  // Oracle's ADD ( ... )
    parse_take_word(p, "column");
    if (at_word(p, "if")) {
        parse_n_words(p, 3);  // IF NOT EXISTS
    }
    ast *item = ddl_item(p);
    bool is_known =
        item->kind == AST_COLUMN_DEF
        || (item->kind == AST_CONSTRAINT && item->form != CONSTRAINT_FORM_OTHER
            && item->form != CONSTRAINT_FORM_DEFAULT);
    return is_known ? item : NULL;
}
