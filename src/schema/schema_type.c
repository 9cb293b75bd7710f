/*
 * schema_type.c - the types of columns as they may be written into SQL.
 *
 * A declared type is a text that anybody wrote: `"TEXT); DROP ..."` is one. It
 * is written as it is only where it is plain: words that are no keywords of the
 * grammar, and a size. All else becomes the type that is nearest, or is quoted.
 */
#include "base/words.h"
#include "schema/schema_build.h"
#include "schema/schema_ddl.h"
#include "sql/lex.h"
#include "sql/lex_rules.h"
#include "sql/name.h"

#include <assert.h>

// Types of PostgreSQL itself, by their first words.
static const char own_types[] =
    "bigint bit bool boolean box bpchar bytea char character cidr circle date "
    "datemultirange daterange decimal double float4 float8 inet int int2 int4 "
    "int4multirange int4range int8 int8multirange int8range integer interval "
    "json jsonb jsonpath line lseg macaddr macaddr8 money name numeric "
    "nummultirange numrange oid path point polygon real smallint text time "
    "timestamp timestamptz timetz tsmultirange tsquery tsrange tstzmultirange "
    "tstzrange tsvector uuid varchar xml";

// And of DuckDB.
static const char duckdb_types[] =
    "bigint bit blob bool boolean bytea char character date decimal double "
    "float float4 float8 hugeint int int1 int2 int4 int8 integer interval json "
    "numeric real smallint text time timestamp timestamptz timestamp_s "
    "timestamp_ms timestamp_ns tinyint ubigint uhugeint uinteger usmallint "
    "utinyint uuid varchar";

// Without their sequence.
static const struct {
    str word;
    str type;
} serials[] = {
    {S_INIT("serial"), S_INIT("integer")},
    {S_INIT("serial4"), S_INIT("integer")},
    {S_INIT("bigserial"), S_INIT("bigint")},
    {S_INIT("serial8"), S_INIT("bigint")},
    {S_INIT("smallserial"), S_INIT("smallint")},
    {S_INIT("serial2"), S_INIT("smallint")},
};

static bool is_word_byte(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_';
}

// "(10, 2)" up to the end.
static bool is_size(str s)
{
    bool ok = s.len > 2 && s.ptr[0] == '(' && is_digit(s.ptr[s.len - 2])
              && s.ptr[s.len - 1] == ')';
    for (ptrdiff_t i = 1; ok && i < s.len - 1; i++) {
        ok = is_digit(s.ptr[i]) || s.ptr[i] == ',' || s.ptr[i] == ' ';
    }
    return ok;
}

// NOT, UNIQUE, REFERENCES would begin a constraint.
static bool begins_rule(str word)
{
    keyword k = keyword_find(word.ptr, word.len);
    return k != KEYWORD_NONE && keyword_is_reserved(k, DIALECT_SQLITE);
}

// Is a declared type words and a size, so that it can stand in SQL as it is?
static bool schema_is_plain_type(str type)
{
    ptrdiff_t at = 0;
    bool ok = type.len > 0 && !is_digit(type.ptr[0]);
    while (ok && at < type.len && type.ptr[at] != '(') {
        ptrdiff_t begin = at;
        while (at < type.len && is_word_byte(type.ptr[at])) {
            at++;
        }
        ok = at > begin && !begins_rule(str_sub(type, begin, at));
        while (ok && at < type.len && type.ptr[at] == ' ') {
            at++;
        }
    }
    return ok && at > 0 && (at == type.len || is_size(str_skip(type, at)));
}

static str affinity_word(schema_affinity affinity)
{
    switch (affinity) {
    case AFFINITY_BLOB: return S("BLOB");
    case AFFINITY_TEXT: return S("TEXT");
    case AFFINITY_NUMERIC: return S("NUMERIC");
    case AFFINITY_INTEGER: return S("INTEGER");
    case AFFINITY_REAL: break;
    }
    return S("REAL");
}

void schema_add_sqlite_type(buf *out, const schema_column *c, bool is_strict)
{
    bool says_it = schema_affinity_of(c->type) == c->affinity;
    if (c->type.len == 0 && says_it) {
        return;
    }
    buf_char(out, ' ');
    if (says_it && schema_is_plain_type(c->type)) {
        buf_add(out, c->type);
    } else if (says_it && is_strict) {
        // SQLite refuses it by name, as it does with every type of its own.
        name_add_quoted(out, c->type, DIALECT_SQLITE);
    } else {
        buf_add(out, affinity_word(c->affinity));
    }
}

// ENUM('a', 'b') is worth reading, a remark in a type is not.
static bool is_readable(str type)
{
    bool ok = str_find(type, S("--"), 0) < 0;
    for (ptrdiff_t i = 0; ok && i < type.len; i++) {
        ok = is_word_byte(type.ptr[i])
             || str_find(S(" ()[],.'-<>"), str_sub(type, i, i + 1), 0) >= 0;
    }
    return ok;
}

void schema_add_readable_type(buf *out, const schema_column *c)
{
    if (c->type.len > 0) {
        buf_char(out, ' ');
        if (is_readable(c->type)) {
            buf_add(out, c->type);
        } else {
            name_add_readable(out, c->type);
        }
    }
}

static str nearest_type(const schema_column *c)
{
    switch (c->kind) {
    case KIND_INTEGER: return S("bigint");
    case KIND_REAL: return S("double precision");
    case KIND_DECIMAL: return S("numeric");
    case KIND_DATE: return S("date");
    case KIND_TIME: return S("time");
    case KIND_TIMESTAMP: return S("timestamp");
    case KIND_BOOLEAN: return S("boolean");
    case KIND_BYTES: return S("bytea");
    case KIND_TEXT:
    case KIND_ANY: break;
    }
    return c->affinity == AFFINITY_INTEGER || c->affinity == AFFINITY_NUMERIC
               ? S("numeric")
               : S("text");
}

// What may stand after the first word of a type.
static bool is_tail(str tail, bool takes_size)
{
    static const str words[] = {
        S_INIT(""),
        S_INIT(" precision"),
        S_INIT(" varying"),
        S_INIT(" with time zone"),
        S_INIT(" without time zone"),
    };
    while (str_ends(tail, S("[]"))) {
        tail = str_sub(tail, 0, tail.len - 2);
    }
    ptrdiff_t open = str_find(tail, S("("), 0);
    ptrdiff_t close = str_find(tail, S(")"), 0);
    bool has_size = open >= 0 && close > open;
    str before = open >= 0 ? str_sub(tail, 0, open) : tail;
    str after = has_size ? str_skip(tail, close + 1) : S("");
    bool is_known[2] = {false, false};
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        is_known[0] |= str_equal_fold(before, words[i]);
        is_known[1] |= str_equal_fold(after, words[i]);
    }
    bool is_sized =
        has_size && takes_size && is_size(str_sub(tail, open, close + 1));
    return is_known[0] && is_known[1] && (open < 0 || is_sized);
}

// ENUM('a', 'b') and nothing after it.
static bool is_enumeration(str type)
{
    lexer l = lex_begin(type, DIALECT_DUCKDB);
    bool ok = str_equal_fold(token_text(type, lex_next_solid(&l)), S("enum"))
              && lex_next_solid(&l).id == OP_PAREN_OPEN;
    for (token t = lex_next_solid(&l); ok && t.id != OP_PAREN_CLOSE;
         t = lex_next_solid(&l)) {
        ok = t.kind == TOKEN_STRING || (t.kind == TOKEN_OP && t.id == OP_COMMA);
    }
    return ok && lex_next_solid(&l).kind == TOKEN_END;
}

str schema_type_word(str type)
{
    ptrdiff_t n = 0;
    while (n < type.len && is_word_byte(type.ptr[n])) {
        n++;
    }
    return str_sub(type, 0, n);
}

static bool is_own_to_duckdb(const schema_column *c)
{
    str word = schema_type_word(c->type);
    return is_enumeration(c->type)
           || (str_among_fold(word, duckdb_types)
               && is_tail(str_skip(c->type, word.len),
                          c->kind != KIND_INTEGER));
}

// As it is written: of PostgreSQL not `int(11)`, `int unsigned`, `double`.
static bool is_own_type(const schema_column *c, dialect d)
{
    if (d == DIALECT_DUCKDB) {
        return is_own_to_duckdb(c);
    }
    if (c->enum_name.len > 0) {
        return is_enumeration(c->type);
    }
    str word = schema_type_word(c->type);
    str tail = str_skip(c->type, word.len);
    bool is_double = str_equal_fold(word, S("double"));
    return str_among_fold(word, own_types)
           && is_tail(tail, c->kind != KIND_INTEGER)
           && is_double == str_starts_fold(tail, S(" precision"));
}

// Without its sequence; empty: it is no serial.
static str serial_type(str word)
{
    ptrdiff_t i = words_at_fold(serials, word, word);
    return i >= 0 ? serials[i].type : (str){0};
}

str schema_type_in(const schema_column *c, dialect d)
{
    str serial = serial_type(schema_type_word(c->type));
    return serial.len > 0      ? serial
           : is_own_type(c, d) ? c->type
                               : nearest_type(c);
}

bool schema_is_foreign_type(const schema_column *c, dialect d)
{
    return c->type.len > 0 && serial_type(schema_type_word(c->type)).len == 0
           && !str_equal(schema_type_in(c, d), c->type);
}

// Of a value X that is not NULL: it does not fit the type of the column, but
// for a NUL in a text, where LIKE, LENGTH and SUBSTR stop. NULL: all values do.
static const char *misfit_of(const schema_column *c)
{
    switch (c->kind) {
    case KIND_INTEGER: return "typeof(X) <> 'integer'";
    case KIND_REAL:
        return c->affinity == AFFINITY_REAL
                   ? "typeof(X) <> 'real'"
                   : "typeof(X) NOT IN ('integer', 'real')";
    case KIND_DECIMAL: return "typeof(X) NOT IN ('integer', 'real')";
    case KIND_BOOLEAN: return "typeof(X) <> 'integer' OR X NOT IN (0, 1)";
    case KIND_DATE:
        return "typeof(X) <> 'text' OR X COLLATE BINARY IS NOT date(X, '+0 "
               "days')";
    case KIND_TIMESTAMP:
        return "typeof(X) <> 'text' OR substr(X, 1, 10) IS NOT date(X, '+0 "
               "days')"
               " OR X NOT GLOB '??????????[ T]??:??*'"
               " OR substr(X, 12) GLOB '*[^0-9:.]*'";
    case KIND_TEXT:
        return c->affinity == AFFINITY_TEXT ? "typeof(X) <> 'text'"
                                            : "typeof(X) = 'blob'";
    case KIND_TIME: return "typeof(X) <> 'text'";
    case KIND_BYTES:
    case KIND_ANY: break;
    }
    return c->affinity == AFFINITY_BLOB ? NULL : "typeof(X) = 'blob'";
}

bool schema_type_is_char(str type)
{
    ptrdiff_t end = str_find(type, S("("), 0);
    str word = str_trim(str_sub(type, 0, end < 0 ? type.len : end));
    return str_among_fold(word, "char character nchar bpchar");
}

// FLOAT alone, or FLOAT(n) of so many binary digits; FLOAT(7, 4) is MySQL's.
static bool is_short_float(str size, dialect d)
{
    enum {
        SINGLE_DIGITS = 24
    };
    int64_t n = 0;
    bool by_name = d == DIALECT_MYSQL || d == DIALECT_DUCKDB;
    return str_to_int(str_trim(size), &n) ? n <= SINGLE_DIGITS : by_name;
}

static bool is_single(str word, str size, dialect d)
{
    bool is_long =
        d == DIALECT_SQLITE || d == DIALECT_SNOWFLAKE || d == DIALECT_BIGQUERY;
    return is_long ? false
           : str_equal_fold(word, S("real"))
               ? dialect_follows_postgres(d) || d == DIALECT_TSQL
           : str_equal_fold(word, S("float"))
               ? is_short_float(size, d)
               : str_equal_fold(word, S("float4"));
}

bool schema_type_is_single(str type, dialect d)
{
    str word = schema_type_word(type);
    str size = str_trim(str_skip(type, word.len));
    return is_single(
        word, is_size(size) ? str_sub(size, 1, size.len - 1) : (str){0}, d);
}

bool schema_cast_is_single(const ast *type, dialect d)
{
    const ast *size = type->kind == AST_TYPE ? type->kid[TYPE_ARGS] : NULL;
    return is_single(type->text, size && !size->next ? size->text : (str){0},
                     d);
}

// The condition on a column in place of X.
static void add_on(buf *sql, const char *condition, str column)
{
    for (const char *at = condition; *at; at++) {
        if (*at == 'X') {
            name_add(sql, column, DIALECT_SQLITE);
        } else {
            buf_char(sql, *at);
        }
    }
}

bool schema_may_misfit(const schema_column *c)
{
    return misfit_of(c) != NULL;
}

void schema_add_misfit(buf *sql, const schema_column *c)
{
    assert(schema_may_misfit(c));
    // What hardly any value is comes first: NULL or not is seldom asked.
    buf_add(sql, S("(("));
    add_on(sql, misfit_of(c), c->name);
    if (c->affinity == AFFINITY_TEXT) {
        add_on(sql, " OR instr(X, char(0)) > 0", c->name);
    }
    buf_add(sql, S(") AND "));
    name_add(sql, c->name, DIALECT_SQLITE);
    buf_add(sql, S(" IS NOT NULL)"));
}
