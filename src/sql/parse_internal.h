/*
 * parse_internal.h - what the files of the parser share; for them alone.
 *
 * Each function `parse_X` begins at the current token, takes the tokens of X
 * and gives its node, never NULL. Where X does not stand it reports what was
 * expected, gives an AST_ERROR and sets `lost`: nobody reports or takes
 * anything until parse_recover has found the next clause.
 */
#ifndef ASSAY_SQL_PARSE_INTERNAL_H
#define ASSAY_SQL_PARSE_INTERNAL_H

#include "sql/lex.h"
#include "sql/parse.h"

enum {
    PARSE_DEPTH_MAX = 400,  // of constructs within each other
};

typedef struct parser {
    arena *a;
    str sql;
    const token *at;          // the current token; the last one is TOKEN_END
    const token *first;       // of the text
    const uint8_t *priority;  // by sql_operator, of the dialect
    parse_result *result;
    dialect dialect;
    int depth;          // constructs that are open
    int height;         // of the highest tree read within the open construct
    bool reads_others;  // statements of other kinds, too
    bool lost;          // after a mistake
    bool half;          // the first `>` of a `>>` is taken
} parser;

// A list under construction.
typedef struct ast_list {
    ast *first;
    ast *last;
} ast_list;

void list_add(ast_list *list, ast *n);

static inline bool at_op(const parser *p, op o)
{
    return p->at->kind == TOKEN_OP && p->at->id == (int)o;
}

static inline bool token_is_key(const token *t, keyword k)
{
    return t->id == (int)k
           && (t->kind == TOKEN_KEYWORD || t->kind == TOKEN_WORD);
}

static inline bool at_key(const parser *p, keyword k)
{
    return token_is_key(p->at, k);
}

static inline bool token_is_op(const token *t, op o)
{
    return t->kind == TOKEN_OP && t->id == (int)o;
}

// Whether it is a name, or a word that the dialect does not reserve.
static inline bool token_is_name(const token *t)
{
    return t->kind == TOKEN_NAME || t->kind == TOKEN_WORD
           || t->kind == TOKEN_QUOTED_NAME || t->kind == TOKEN_STRING_OR_NAME;
}

// The keyword of a token that is one, else KEYWORD_NONE.
static inline keyword key_of(const token *t)
{
    return t->kind == TOKEN_KEYWORD || t->kind == TOKEN_WORD ? (keyword)t->id
                                                             : KEYWORD_NONE;
}

// The token after the current one, or TOKEN_END.
static inline const token *peek(const parser *p)
{
    return p->at->kind == TOKEN_END ? p->at : p->at + 1;
}

void parse_skip(parser *p);           // the current token is understood
bool parse_take_op(parser *p, op o);  // skips it if it is there
bool parse_take_key(parser *p, keyword k);
bool parse_take_keys(parser *p, keyword k, keyword next);  // both, or none
void parse_need_op(parser *p, op o);  // reports when it is not there
void parse_need_key(parser *p, keyword k);

// one { , one }; the same of a clause, where some dialects allow a comma after
// the last one; ( one ); ( one { , one } ).
typedef ast *parse_one(parser *p);
ast *parse_list(parser *p, parse_one *one);
ast *parse_trailed_list(parser *p, parse_one *one);
ast *parse_parened(parser *p, parse_one *one);
ast *parse_paren_list(parser *p, parse_one *one);

// Whether a list ends before the token, whatever stands before it.
bool parse_list_ends(const parser *p);

// Whether the current token is the word `text`, keyword or not.
bool at_word(const parser *p, const char *text);
bool parse_take_word(parser *p, const char *text);

// Reports what was expected at the current token and gives an AST_ERROR.
ast *parse_expected(parser *p, const char *what);

// The same for BigQuery's queries of steps, which begin with FROM.
ast *parse_refuse_pipe(parser *p);

// Skips to the next clause on this level (the keyword, where one is given), or
// to the `)` or `;` that ends it.
void parse_recover(parser *p, keyword k);

// Ends a clause. What cannot follow it is reported, `what` says what could have
// gone on (NULL: report nothing); what is broken in it is left.
void parse_end_clause(parser *p, const char *what);

// The clause that begins with `k`, which ends it; NULL where it is missing.
ast *parse_clause(parser *p, keyword k, parse_one *one, const char *what);

// Opens a construct; false, and reported, when it lies too deep. The height
// goes to parse_leave, on both ways.
bool parse_enter(parser *p, int *height);
void parse_leave(parser *p, int height);

// The tree of a chain becomes one higher; false, and reported, if too high.
bool parse_grow(parser *p);

ast *node_begin(parser *p, ast_kind kind);  // at this token
// Begins where that one does; and has it in a field.
ast *node_from(parser *p, ast_kind kind, const ast *left);
ast *node_around(parser *p, ast_kind kind, int field, ast *left);
ast *node_end(parser *p, ast *n);  // ends before the current token

bool name_follows(const parser *p);   // a name that is no reserved word
bool word_follows(const parser *p);   // a name or any word
bool query_follows(const parser *p);  // SELECT, WITH or VALUES

// Whether a word that usually goes on is the alias of SQLite here.
bool word_falls_back(const parser *p);

bool pivot_follows(const parser *p);  // PIVOT or UNPIVOT

// Whether an alias without AS stands here.
bool alias_follows(const parser *p);

// Gives `n` the current token as its name and skips it.
void take_name(parser *p, ast *n);
void take_typed(parser *p, ast *n);  // as typed; keywords in upper case
ast *parse_name(parser *p);          // NAME
ast *parse_names(parser *p);         // ( NAME, ... )

// All tokens up to a `)`, `,`, `;` or the next clause, as WORDS.
ast *parse_words(parser *p);
// The same for a known number of tokens.
ast *parse_n_words(parser *p, int n);

bool other_statement_follows(const parser *p);  // CREATE, PRAGMA, SET, ...
ast *parse_other_statement(parser *p);          // a tree, or WORDS
bool dml_follows(const parser *p);  // INSERT, UPDATE, DELETE or REPLACE
ast *parse_dml(parser *p);
ast *parse_query(parser *p);  // with DML after its WITH, too
ast *parse_item(parser *p);   // an expression, perhaps with an alias
ast *parse_query_after(parser *p, ast *left);  // left was in parentheses
ast *parse_order(parser *p);                   // ORDER BY list, if it is there
ast *parse_limit(parser *p);                   // LIMIT and OFFSET, if there
ast *parse_window(parser *p);                  // ( ... )
ast *parse_from(parser *p);
ast *parse_source(parser *p);  // without joins
ast *parse_type(parser *p);
ast *parse_type_head(parser *p);  // without [] and words after it

ast *parse_expr(parser *p);
ast *parse_expr_above(parser *p, int priority);  // of operators at least this
ast *parse_operand(parser *p);
ast *parse_call(parser *p, ast *name);  // name is a COLUMN; at the `(`
ast *parse_exprs(parser *p);            // expr, ...
ast *parse_exprs_or_none(parser *p);    // the same before `)`, or nothing
ast *parse_subquery(parser *p);         // ( query ) as SUBQUERY

// parse_special.c: constructs of one system.
ast *parse_cast_type(parser *p);        // with its character set
bool convert_follows(const parser *p);  // MySQL's CONVERT(x, type)
ast *parse_convert(parser *p);
bool collation_follows(const parser *p);  // PostgreSQL's COLLATION FOR (x)
ast *parse_collation_for(parser *p);
bool brace_follows(const parser *p);  // {d '...'}
ast *parse_brace(parser *p);
// How many words a type has that stands before its literal; 0: none, or one.
int typed_words(const parser *p);
// Words before an argument of the call, or after one; NULL: there are none.
ast *parse_special_tag(parser *p, const ast *call);
ast *parse_table_columns(parser *p);  // COLUMNS ( ... ); NULL: not there
// The sign in OPERATOR(pg_catalog.+), or NULL.
const token *operator_name(const parser *p);

void parse_sort_using(parser *p, ast *n);  // USING < of ORDER BY
int cte_tokens(const parser *p);           // of SEARCH and CYCLE; 0: none
void parse_modifiers(parser *p, ast *n);   // HIGH_PRIORITY of a SELECT

// How many tokens a unit of time has: DAY TO SECOND(3); 0: there is none.
int unit_tokens(const parser *p);

parser parser_begin(arena *a, str sql, dialect d, parse_result *result);
ast *parse_ddl_statement(parser *p);  // NULL: none that makes anything

#endif  // ASSAY_SQL_PARSE_INTERNAL_H
