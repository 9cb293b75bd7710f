/*
 * parse_ddl_rule.c - columns and constraints of CREATE TABLE.
 *
 * Method      No comma stands between the constraints of a column: each ends
 *             where a word begins another one, so the words after a
 *             constraint (ON DELETE SET NULL) are known by their number.
 *             Look-ahead runs on a copy of the parser.
 */
#include "sql/parse_ddl.h"

#include <assert.h>

// The words that begin a constraint of a column.
static const char *const rule_words[] = {
    "constraint", "primary", "unique",  "not",     "null",      "check",
    "references", "foreign", "default", "collate", "generated", "as",
};

static bool rule_follows(const parser *p)
{
    for (ptrdiff_t i = 0; i < countof(rule_words); i++) {
        if (at_word(p, rule_words[i])) {
            return true;
        }
    }
    return false;
}

// The words after a constraint, and how many tokens belong together.
static const struct {
    const char *word;
    const char *second;  // NULL: any
    int n;
} tails[] = {
    {"on", "delete", 3},         {"on", "update", 3},
    {"on", "conflict", 3},       {"not", "deferrable", 2},
    {"not", "valid", 2},         {"not", "enforced", 2},
    {"not", "for", 3},           {"deferrable", NULL, 1},
    {"initially", NULL, 2},      {"match", NULL, 2},
    {"enable", NULL, 1},         {"disable", NULL, 1},
    {"validate", NULL, 1},       {"novalidate", NULL, 1},
    {"rely", NULL, 1},           {"norely", NULL, 1},
    {"enforced", NULL, 1},       {"autoincrement", NULL, 1},
    {"auto_increment", NULL, 1}, {"asc", NULL, 1},
    {"desc", NULL, 1},           {"clustered", NULL, 1},
    {"nonclustered", NULL, 1},   {"using", NULL, 2},
    {"stored", NULL, 1},         {"virtual", NULL, 1},
    {"persisted", NULL, 1},
};

static int tail_length(const parser *p)
{
    for (ptrdiff_t i = 0; i < countof(tails); i++) {
        parser next = *p;
        parse_skip(&next);
        if (!at_word(p, tails[i].word)
            || (tails[i].second && !at_word(&next, tails[i].second))) {
            continue;
        }
        parse_skip(&next);
        bool longer =
            tails[i].n == 3 && (at_word(&next, "set") || at_word(&next, "no"));
        return tails[i].n + longer;
    }
    return 0;
}

// `n` tokens and, if they follow, all between two parentheses.
static ast *take_words(parser *p, int n)
{
    assert(n >= 0);
    parser ahead = *p;
    for (int i = 0; i < n; i++) {
        parse_skip(&ahead);
    }
    if (at_op(&ahead, OP_PAREN_OPEN)) {
        parse_skip(&ahead);
        int open = 1;
        for (n++; open > 0 && ahead.at->kind != TOKEN_END; n++) {
            open += at_op(&ahead, OP_PAREN_OPEN)    ? 1
                    : at_op(&ahead, OP_PAREN_CLOSE) ? -1
                                                    : 0;
            parse_skip(&ahead);
        }
    }
    return parse_n_words(p, n);
}

static ast *parse_tail(parser *p)
{
    int n = 0;
    parser ahead = *p;
    for (int more = tail_length(p); more > 0; more = tail_length(&ahead)) {
        for (n += more; more > 0; more--) {
            parse_skip(&ahead);
        }
    }
    return n > 0 ? take_words(p, n) : NULL;
}

ast *ddl_words(parser *p, const char *stop)
{
    int n = 0;
    int open = 0;
    for (parser ahead = *p; ahead.at->kind != TOKEN_END; n++) {
        bool shuts = at_op(&ahead, OP_PAREN_CLOSE);
        bool ends =
            shuts || at_op(&ahead, OP_COMMA) || (stop && at_word(&ahead, stop));
        if (open == 0 && ends) {
            break;
        }
        open += at_op(&ahead, OP_PAREN_OPEN) ? 1 : shuts ? -1 : 0;
        parse_skip(&ahead);
    }
    return parse_n_words(p, n);
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

// generated -> [GENERATED (ALWAYS | BY DEFAULT)] AS (( expr ) | IDENTITY ...)
static void parse_generated(parser *p, ast *n)
{
    assert(at_word(p, "generated") || at_word(p, "as"));
    parser ahead = *p;
    int words = 1;
    for (; !at_word(&ahead, "as") && ahead.at->kind != TOKEN_END; words++) {
        parse_skip(&ahead);
    }
    parse_skip(&ahead);
    if (at_word(&ahead, "identity")) {
        n->kid[CONSTRAINT_AFTER] = take_words(p, words + 1);
        return;
    }
    p->at = ahead.at;
    n->form = CONSTRAINT_FORM_GENERATED;
    n->kid[CONSTRAINT_EXPR] = p->dialect == DIALECT_TSQL
                                  ? parse_expr(p)
                                  : parse_parened(p, parse_expr);
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
    while (!of_column && !p->lost && p->at->kind != TOKEN_END
           && !at_op(p, OP_PAREN_OPEN) && !at_op(p, OP_COMMA)
           && !at_op(p, OP_PAREN_CLOSE)) {
        parse_skip(p);
    }
    if (!of_column) {
        n->kid[CONSTRAINT_COLUMNS] = ddl_sorts(p);
    }
}

static void parse_foreign(parser *p, ast *n)
{
    parse_take_word(p, "key");
    while (!p->lost && ddl_name_follows(p)) {
        parse_skip(p);  // the name of an index
    }
    n->kid[CONSTRAINT_COLUMNS] = ddl_sorts(p);
    parse_references(p, n);
}

// Of a column: words up to the next constraint.
static void parse_other(parser *p, ast *n, bool of_column)
{
    if (!of_column) {
        n->kid[CONSTRAINT_AFTER] = ddl_words(p, NULL);
        return;
    }
    int words = 0;
    for (parser ahead = *p;
         ahead.at->kind != TOKEN_END && (words == 0 || !rule_follows(&ahead))
         && !at_op(&ahead, OP_PAREN_OPEN) && !at_op(&ahead, OP_COMMA)
         && !at_op(&ahead, OP_PAREN_CLOSE);
         words++) {
        parse_skip(&ahead);
    }
    n->kid[CONSTRAINT_AFTER] = take_words(p, words);
}

static void parse_default(parser *p, ast *n)
{
    n->form = CONSTRAINT_FORM_DEFAULT;
    n->kid[CONSTRAINT_EXPR] =
        parse_expr_above(p, operator_priority(OPERATOR_CAST, p->dialect));
}

static bool take_not_null(parser *p)
{
    parser ahead = *p;
    bool is = parse_take_word(&ahead, "not") && parse_take_word(&ahead, "null");
    p->at = is ? ahead.at : p->at;
    return is;
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
        parse_foreign(p, n);
    } else if (parse_take_word(p, "default")) {
        parse_default(p, n);
    } else if (parse_take_word(p, "collate")) {
        parse_collation(p, n);
    } else if (at_word(p, "generated") || at_word(p, "as")) {
        parse_generated(p, n);
    } else {
        parse_other(p, n, of_column);
    }
}

// rule -> [CONSTRAINT [name]] body words
static ast *parse_rule(parser *p, bool of_column)
{
    ast *n = node_begin(p, AST_CONSTRAINT);
    if (parse_take_word(p, "constraint")) {
        if (!rule_follows(p) && ddl_name_follows(p)) {
            parse_skip(p);
        }
        if (at_op(p, OP_COMMA) || at_op(p, OP_PAREN_CLOSE)) {
            return node_end(p, n);  // SQLite: a name and nothing else
        }
    }
    parse_rule_body(p, n, of_column);
    if (!p->lost && !n->kid[CONSTRAINT_AFTER]) {
        n->kid[CONSTRAINT_AFTER] = parse_tail(p);
    }
    node_end(p, n);
    if (!of_column
        && (at_word(p, "with") || at_word(p, "on")
            || at_word(p, "tablespace"))) {
        ddl_skip_item(p);  // where the index is kept, and how
    }
    return n;
}

// The words that end a type although they begin no constraint.
static const char *const type_ends[] = {
    "comment", "identity", "auto_increment", "autoincrement", "character",
    "charset", "encode",   "options",        "sparse",        "masking",
    "with",    "on",       "visible",        "invisible",     "key",
};

static bool type_follows(const parser *p)
{
    return !p->lost && word_follows(p) && !rule_follows(p)
           && tail_length(p) == 0;
}

static bool type_goes_on(const parser *p)
{
    if (!type_follows(p)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < countof(type_ends); i++) {
        if (at_word(p, type_ends[i])) {
            return false;
        }
    }
    return true;
}

// SQLite takes any words for a type, with a size after the last.
static ast *parse_words_type(parser *p)
{
    ast *type = parse_type(p);
    ast_list after = {0};
    while (type->kind == AST_TYPE && type_goes_on(p)) {
        list_add(&after, take_words(p, 1));
    }
    if (after.first) {
        ast **end = &type->kid[TYPE_AFTER];
        while (*end) {
            end = &(*end)->next;
        }
        *end = after.first;
    }
    return node_end(p, type);
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
    if (type_follows(p)) {
        n->kid[COLUMN_DEF_TYPE] = parse_words_type(p);
    }
    while (!p->lost && p->at->kind != TOKEN_END && !at_op(p, OP_COMMA)
           && !at_op(p, OP_PAREN_CLOSE)) {
        list_add(&rules, parse_rule(p, true));
    }
    n->kid[COLUMN_DEF_RULES] = rules.first;
    return node_end(p, n);
}

// MySQL's KEY name (columns), and not a column of that name with a type.
static bool index_follows(const parser *p)
{
    if (!at_word(p, "key") && !at_word(p, "index")) {
        return (at_word(p, "fulltext") || at_word(p, "spatial"))
               && (token_is_word(*peek(p)));
    }
    parser ahead = *p;
    parse_skip(&ahead);
    if (ddl_name_follows(&ahead)) {
        parse_skip(&ahead);
    }
    return at_word(&ahead, "using")
           || (at_op(&ahead, OP_PAREN_OPEN)
               && peek(&ahead)->kind != TOKEN_NUMBER);
}

bool ddl_constraint_follows(const parser *p)
{
    parser next = *p;
    parse_skip(&next);
    return at_word(p, "constraint") || at_word(p, "unique")
           || (at_word(p, "primary") && at_word(&next, "key"))
           || (at_word(p, "foreign") && at_word(&next, "key"))
           || (at_word(p, "check") && at_op(&next, OP_PAREN_OPEN))
           || (at_word(p, "exclude")
               && (at_word(&next, "using") || at_op(&next, OP_PAREN_OPEN)))
           || (at_word(p, "period") && at_word(&next, "for"))
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

// DROP CONSTRAINT, RENAME, ALTER c TYPE: what was said before does not hold.
static bool takes_back(const parser *p)
{
    parser ahead = *p;
    if (!parse_take_word(&ahead, "alter")) {
        return at_word(p, "drop") || at_word(p, "rename")
               || at_word(p, "change");
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
        n->kid[CONSTRAINT_AFTER] = ddl_words(p, NULL);
        return node_end(p, n);
    }
    if (parse_take_word(p, "alter")) {
        return parse_set_not_null(p);
    }
    if (!parse_take_word(p, "add")) {
        return NULL;
    }
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
