// semantics.c - see semantics.h and semantics.def.
#include "sql/semantics.h"

#include "base/words.h"
#include "sql/ast.h"
#include "sql/function.h"

#include <assert.h>

enum {
    LIKE_FOLDED,
    LIKE_SENSITIVE,
    TEXTS_BYTES = 0,
    TEXTS_FOLDED,
    CHARS_KEPT = 0,
    CHARS_DROPPED,
    NULLS_LEAST = 0,
    NULLS_GREATEST,
    DIVISION_WHOLE = 0,
    DIVISION_REAL,
    ZERO_NULL = 0,
    ZERO_OTHER,
    CONCAT_OUT = 0,
    CONCAT_NULL,
    CAST_CUTS = 0,
    CAST_ROUNDS,
    TRUTHS_NUMBERS = 0,
    TRUTHS_TYPED,
    DAYS_TEXT = 0,
    DAYS_DAY = 0,
    DAYS_DIGITS,
    BITS_SIGNED = 0,
    BITS_UNSIGNED,
    KEY_COLUMN = 0,
    KEY_OPEN,
};

semantics dialect_semantics(dialect d)
{
    static const semantics rows[DIALECT_COUNT] = {
#define SEMANTICS(name, like, escape, texts, chars, nulls, division, zero,   \
                  concat, decimals, cast, values, truths, days, bits, bare,  \
                  alias, key, names)                                         \
    [DIALECT_##name] = {LIKE_##like,   ESCAPE_##escape, TEXTS_##texts,       \
                        CHARS_##chars, NULLS_##nulls,   DIVISION_##division, \
                        ZERO_##zero,   CONCAT_##concat, DECIMALS_##decimals, \
                        CAST_##cast,   VALUES_##values, TRUTHS_##truths,     \
                        DAYS_##days,   BITS_##bits,     BARE_##bare,         \
                        ALIAS_##alias, KEY_##key,       NAMES_##names},
#include "sql/semantics.def"
    };
    assert(d < DIALECT_COUNT);
    return rows[d];
}

// Bits of semantics_argument that a way of calling a function takes.
static const struct {
    str word;
    unsigned bits;
} kinds_taken[] = {
    {S_INIT("ANY"), ~0u},
    {S_INIT("NUMBER"), 1 << ARGUMENT_EXACT | 1 << ARGUMENT_REAL},
    {S_INIT("EXACT"), 1 << ARGUMENT_EXACT},
    {S_INIT("REAL"), 1 << ARGUMENT_REAL},
    {S_INIT("PLAIN"), 1 << ARGUMENT_PLAIN},
    {S_INIT("TEXT"), 1 << ARGUMENT_TEXT | 1 << ARGUMENT_PLAIN},
    {S_INIT("TRUTH"), 1 << ARGUMENT_TRUTH},
    {S_INIT("SORTED"), ~(1u << ARGUMENT_TRUTH)},
};

static bool has(str letters, char c)
{
    return str_find(letters, (str){&c, 1}, 0) >= 0;
}

bool dialect_is_among(dialect d, str letters, bool is_large)
{
    static const char all[DIALECT_COUNT] = {0, 'p', 'm', 'b', 't', 's', 'd'};
    return has(letters, is_large ? to_upper(all[d]) : all[d]);
}

static semantics_call call_in(str where, dialect d)
{
    ptrdiff_t slash = str_find(where, S("/"), 0);
    str alike = str_sub(where, 0, slash < 0 ? where.len : slash);
    str own = str_skip(where, alike.len);
    return dialect_is_among(d, alike, true)    ? CALL_SAME
           : dialect_is_among(d, alike, false) ? CALL_OTHER
           : dialect_is_among(d, own, true)    ? CALL_OWN
                                               : CALL_UNKNOWN;
}

semantics_call dialect_call(dialect d,
                            str name,
                            int n_args,
                            semantics_argument first)
{
    char count = (char)(n_args <= 9 ? '0' + n_args : '9');
    bool is_there = false;
    str ways = str_from(function_of(name)->takes);
    while (ways.len > 0) {
        str way = str_trim(str_cut(&ways, ','));
        ptrdiff_t kind = words_at(kinds_taken, word, str_cut(&way, ' '));
        bool fits = has(str_cut(&way, ' '), count);
        assert(kind >= 0);
        if (fits
            && (first == ARGUMENT_ANY || kinds_taken[kind].bits >> first & 1)) {
            return call_in(way, d);
        }
        is_there |= fits;
    }
    return is_there && dialect_semantics(d).values == VALUES_CONVERTS
               ? CALL_OTHER
               : CALL_UNKNOWN;
}

bool dialect_aggregates(dialect d, const ast *n)
{
    if (n->kind != AST_CALL || n->kid[CALL_OVER]) {
        return false;
    }
    const sql_function *f = function_of(n->text);
    bool is_scalar = d == DIALECT_SQLITE && f->compares
                     && ast_list_len(n->kid[CALL_ARGS]) > 1;
    return f->aggregates && !is_scalar;
}

static bool has_byte(str s, int least, int most)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < s.len; i++) {
        int c = (unsigned char)s.ptr[i];
        found |= c >= least && c <= most;
    }
    return found;
}

bool text_is_plain(str s)
{
    return !has_byte(s, 128, 255);
}

bool text_has_sign_before_a(str s)
{
    return has_byte(s, 'Z' + 1, 'a' - 1);
}

bool text_may_fold_more(str s)
{
    return str_ends(s, S(" ")) || has_byte(s, 128, 255)
           || has_byte(s, 0, ' ' - 1);
}
