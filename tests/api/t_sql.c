/*
 * t_sql.c - what src/sql promises beyond text cases: every entry of token.def
 * is found, lists end as they should, limits hold on large inputs, and the
 * token distance is the textbook's.
 */
#include "base/clock.h"
#include "base/edit_distance.h"
#include "base/rng.h"
#include "check.h"
#include "metric/text.h"
#include "sql/function.h"
#include "sql/lex.h"
#include "sql/otherwise.h"
#include "sql/outline.h"
#include "sql/parse.h"
#include "sql/semantics.h"
#include "sql/template.h"

static token only_token(str text, dialect d)
{
    lexer l = lex_begin(text, d);
    token t = lex_next(&l);
    assert_int_equal(t.pos, 0);
    assert_int_equal(t.len, text.len);
    assert_int_equal(lex_next(&l).kind, TOKEN_END);
    assert_int_equal(lex_next(&l).kind, TOKEN_END);
    return t;
}

static void lex_finds_every_keyword(void **state)
{
    (void)state;
    static const struct {
        str text;
        keyword id;
        bool reserved[DIALECT_COUNT];
    } words[] = {
#define KEYWORD(word, lite, pg, my, bq, ts, sf, ends) \
    {{#word, sizeof(#word) - 1},                      \
     KEYWORD_##word,                                  \
     {[DIALECT_SQLITE] = lite,                        \
      [DIALECT_POSTGRES] = pg,                        \
      [DIALECT_MYSQL] = my,                           \
      [DIALECT_BIGQUERY] = bq,                        \
      [DIALECT_TSQL] = ts,                            \
      [DIALECT_SNOWFLAKE] = sf,                       \
      [DIALECT_DUCKDB] = pg}},
#include "sql/token.def"
    };
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        check_str(keyword_text(words[i].id), words[i].text);
        for (int d = 0; d < DIALECT_COUNT; d++) {
            token t = only_token(words[i].text, (dialect)d);
            assert_int_equal(t.id, words[i].id);
            assert_int_equal(t.kind == TOKEN_KEYWORD, words[i].reserved[d]);
            assert_int_equal(keyword_is_reserved(words[i].id, (dialect)d),
                             words[i].reserved[d]);
        }
    }
}

enum {
    IN_LITE = 1 << DIALECT_SQLITE,
    IN_PG = 1 << DIALECT_POSTGRES | 1 << DIALECT_DUCKDB,
    IN_MY = 1 << DIALECT_MYSQL,
    IN_BQ = 1 << DIALECT_BIGQUERY,
    IN_TS = 1 << DIALECT_TSQL,
    IN_SF = 1 << DIALECT_SNOWFLAKE,
    IN_ALL = (1 << DIALECT_COUNT) - 1,
};

static void lex_finds_every_sign(void **state)
{
    (void)state;
    static const struct {
        str text;
        op id;
        int dialects;
    } signs[] = {
#define OP(constant, text, dialects) \
    {{text, sizeof(text) - 1}, OP_##constant, dialects},
#include "sql/token.def"
    };
    for (ptrdiff_t i = 0; i < countof(signs); i++) {
        check_str(op_text(signs[i].id), signs[i].text);
        for (int d = 0; d < DIALECT_COUNT; d++) {
            lexer l = lex_begin(signs[i].text, (dialect)d);
            // `?` and its kin are signs after an operand only.
            l.last = (token){.kind = TOKEN_NAME, .pos = -1, .len = 1};
            token t = lex_next(&l);
            bool brackets = signs[i].id == OP_BRACKET_OPEN
                            && (d == DIALECT_SQLITE || d == DIALECT_TSQL);
            if ((signs[i].dialects >> d & 1) && !brackets) {
                assert_int_equal(t.kind, TOKEN_OP);
                assert_int_equal(t.id, signs[i].id);
                assert_int_equal(t.len, signs[i].text.len);
            } else {
                assert_true(t.kind != TOKEN_OP || t.id != (int)signs[i].id);
            }
        }
    }
}

static void dialects_have_words(void **state)
{
    (void)state;
    for (int d = 0; d < DIALECT_COUNT; d++) {
        dialect again = DIALECT_COUNT;
        str word = dialect_word((dialect)d);
        assert_true(word.len > 0);
        assert_true(dialect_from_word(word, &again));
        assert_int_equal(again, d);
    }
    dialect none;
    assert_false(dialect_from_word(S("cobol"), &none));
    assert_true(dialect_from_word(S("PostgreSQL"), &none));
    assert_int_equal(none, DIALECT_POSTGRES);
}

static void lex_lists_tokens(void **state)
{
    arena *a = check_arena(state);
    str sql = S("a /* b */ c --d");
    token_list all = lex_all(a, sql, DIALECT_SQLITE, LEX_KEEP_COMMENTS);
    assert_int_equal(all.len, 5);
    assert_int_equal(all.ptr[4].kind, TOKEN_END);
    assert_int_equal(all.ptr[4].pos, sql.len);
    all = lex_all(a, sql, DIALECT_SQLITE, LEX_DROP_COMMENTS);
    assert_int_equal(all.len, 3);
    all = lex_all(a, (str){0}, DIALECT_SQLITE, LEX_DROP_COMMENTS);
    assert_int_equal(all.len, 1);
    check_text(token_text(sql, all.ptr[0]), "");
}

// `n` times `part`, in the arena.
static str repeated(arena *a, str part, ptrdiff_t n)
{
    char *text = arena_new(a, char, part.len *n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        memcpy(text + i * part.len, part.ptr, (size_t)part.len);
    }
    return (str){text, part.len * n};
}

enum {
    MANY = 1000000,
    SECONDS_MAX = 20,  // generous: sanitizers and busy machines
};

// Nothing that is said twice in a text may cost its length each time.
static void lex_is_linear(void **state)
{
    static const char *const parts[] = {
        "'",    "\"",   "`",
        "[",    "$",    "$a",
        "$a$",  "/*",   "*/",
        "--",   "#",    "%(",
        "%(a",  ":a",   "@",
        "?",    "-",    "+-",
        "||/",  "<<|",  "1e",
        "0x",   "1_",   "E'",
        "U&\"", "r'''", "'''",
        "{",    "(",    ".",
        "..",   "\\",   "\xEF\xBB\xBF",
        "\xEF", ";",
    };
    arena *a = check_arena(state);
    int64_t begin = clock_cpu_ns();
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        arena memory = *a;
        str text = repeated(&memory, str_from(parts[i]), MANY / 10);
        for (int d = 0; d < DIALECT_COUNT; d++) {
            sql_outline_of(text, (dialect)d);
        }
    }
    assert_true((clock_cpu_ns() - begin) / 1000000000 < SECONDS_MAX);
}

static bool expands(void **state,
                    str gold,
                    template_variants *v,
                    const char **why)
{
    arena *a = check_arena(state);
    diag d = diag_new(a);
    bool ok = template_expand(v, a, &gold, 1, (template_options){0}, &d,
                              check_scratch(state));
    *why = ok ? "" : arena_cstr(a, d.messages.ptr[0].text);
    assert_int_equal(ok, d.count == 0);
    return ok;
}

static void template_bounds_hostile_golds(void **state)
{
    arena *a = check_arena(state);
    template_variants v;
    const char *why;
    str many_items = arena_printf(a, "SELECT {x%.*s}",
                                  STR_ARG(repeated(a, S(",y(z)"), MANY / 10)));
    assert_true(expands(state, many_items, &v, &why));
    assert_int_equal(v.n, 3);  // two different items
    assert_false(expands(state, repeated(a, S("{a,b} "), 1000), &v, &why));
    assert_string_equal(why, "more than 4096 variants");
    assert_true(expands(state, repeated(a, S("{a} "), 4000), &v, &why));
    assert_int_equal(v.n, 1);
    assert_false(expands(state, repeated(a, S("{a} "), MANY / 10), &v, &why));
    assert_string_equal(why, "too many groups in one statement");
    assert_false(expands(state, repeated(a, S("{"), MANY), &v, &why));
    assert_true(expands(state, repeated(a, S("("), MANY), &v, &why));
    assert_false(expands(state, repeated(a, S("a;b;"), MANY), &v, &why));
    assert_string_equal(why, "more than 4096 variants");
}

static void template_bounds_bytes(void **state)
{
    arena *a = check_arena(state);
    template_variants v;
    const char *why;
    str big = repeated(a, S("SELECT a "), 50 * MANY / 9);
    assert_true(expands(state, big, &v, &why));
    assert_int_equal(v.n, 1);
    assert_ptr_equal(v.sql[0].ptr, big.ptr);  // borrowed
    char *text = arena_cstr(a, big);
    memcpy(text, "{a,b} ", 6);
    assert_false(expands(state, (str){text, big.len}, &v, &why));
    assert_string_equal(why, "the variants would take more than 64 MiB");
}

static ptrdiff_t textbook_distance(const int32_t *x,
                                   ptrdiff_t n_x,
                                   const int32_t *y,
                                   ptrdiff_t n_y,
                                   arena scratch)
{
    ptrdiff_t *row = arena_new(&scratch, ptrdiff_t, n_y + 1);
    for (ptrdiff_t j = 0; j <= n_y; j++) {
        row[j] = j;
    }
    for (ptrdiff_t i = 1; i <= n_x; i++) {
        ptrdiff_t diagonal = row[0];
        row[0] = i;
        for (ptrdiff_t j = 1; j <= n_y; j++) {
            ptrdiff_t best = diagonal + (x[i - 1] != y[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[n_y];
}

static void edit_distance_is_the_textbook_one(void **state)
{
    arena scratch = check_scratch(state);
    rng r = {20261120};
    for (int i = 0; i < 4000; i++) {
        int32_t x[300];
        int32_t y[300];
        ptrdiff_t n_x = rng_below(&r, i % 2 ? 20 : 300);
        ptrdiff_t n_y = rng_below(&r, i % 3 ? 20 : 300);
        ptrdiff_t letters = 1 + rng_below(&r, 6);
        for (ptrdiff_t k = 0; k < 300; k++) {
            x[k] = (int32_t)rng_below(&r, letters);
            // Half of the pairs are alike.
            bool same = i % 4 < 2 && rng_below(&r, 8) > 0;
            y[k] = same ? x[k] : (int32_t)rng_below(&r, letters);
        }
        assert_int_equal(edit_distance_ids(x, n_x, y, n_y, scratch),
                         textbook_distance(x, n_x, y, n_y, scratch));
    }
}

static void text_metrics_survive_large_texts(void **state)
{
    arena *a = check_arena(state);
    arena scratch = check_scratch(state);
    str gold = repeated(a, S("a , b . "), 5 * MANY / 4);
    char *copy = arena_cstr(a, gold);
    str pred = {copy, gold.len};
    verdict v = metric_edit(gold, pred, DIALECT_SQLITE, a, scratch);
    assert_int_equal(v.v, ANSWER_YES);
    assert_int_equal(v.distance, 0);
    copy[gold.len - 4] = 'x';
    v = metric_edit(gold, pred, DIALECT_SQLITE, a, scratch);
    assert_int_equal(v.v, ANSWER_UNKNOWN);
    assert_int_equal(v.reason, REASON_TOO_LONG);
    v = metric_string(gold, pred, DIALECT_SQLITE, a, scratch);
    assert_int_equal(v.v, ANSWER_NO);
    check_text(v.detail, "token 4999999: 'b' against 'x'");
    v = metric_edit(gold, (str){0}, DIALECT_SQLITE, a, scratch);
    assert_int_equal(v.reason, REASON_NO_PREDICTION);
    assert_int_equal(v.distance, -1);
    gold.len = 8 * 25000 - 1;  // 100,000 tokens
    pred = repeated(a, S("x y z "), 33333);
    v = metric_edit(gold, pred, DIALECT_SQLITE, a, scratch);
    assert_int_equal(v.distance, 100000);
    assert_true(v.score == 0);
}

// They are searched by halves, so their order is that of the bytes.
static void each_function_is_found(void **state)
{
    (void)state;
    for (ptrdiff_t i = 0; function_at(i); i++) {
        const sql_function *f = function_at(i);
        assert_ptr_equal(function_of(f->name), f);
        assert_true(!f->is_firm
                    || (f->result != RESULT_ANY && f->result != RESULT_ARGUMENT
                        && f->result != RESULT_CHOSEN));
    }
    assert_true(function_of(S("COUNT"))->aggregates);
    assert_false(function_of(S("counter"))->aggregates);
    assert_false(function_of(S(""))->aggregates);
}

// What stands for a number of a pattern, so that the row holds.
static str example_of(char no, str when, dialect d)
{
    bool is_first = no == '1';
    return is_first && str_equal(when, S("LETTER")) ? S("'x'")
           : is_first || no == '?'                  ? S("a")
           : str_equal(when, S("SPAN"))
               ? (dialect_follows_postgres(d) ? S("INTERVAL '1' DAY")
                                              : S("INTERVAL 1 DAY"))
           : str_equal(when, S("QUERY"))  ? S("SELECT b FROM u")
           : str_equal(when, S("NESTED")) ? S("(SELECT b FROM u)")
           : str_equal(when, S("NUMBER")) ? S("2")
           : str_equal(when, S("ISO"))    ? S("120")
                                          : S("b");
}

// A type for each class that otherwise.def has a name for.
static str with_types(arena *a, str pattern)
{
    static const struct {
        str class;
        str type;
    } types[] = {
        {S_INIT("AS whole"), S_INIT("AS int")},
        {S_INIT("AS real"), S_INIT("AS real")},
        {S_INIT("AS scaled"), S_INIT("AS decimal")},
        {S_INIT("AS text"), S_INIT("AS varchar")},
        {S_INIT("AS padded"), S_INIT("AS nchar")},
        {S_INIT("AS day"), S_INIT("AS date")},
        {S_INIT("AS moment"), S_INIT("AS timestamp")},
    };
    for (ptrdiff_t i = 0; i < countof(types); i++) {
        ptrdiff_t at = str_find(pattern, types[i].class, 0);
        str rest = str_skip(pattern, at + types[i].class.len);
        pattern = at < 0 ? pattern
                         : arena_printf(a, "%.*s%.*s%.*s", (int)at, pattern.ptr,
                                        STR_ARG(types[i].type), STR_ARG(rest));
    }
    return pattern;
}

static str example(arena *a, str pattern, str when, dialect d)
{
    buf out = buf_new(a);
    pattern = with_types(a, pattern);
    for (ptrdiff_t i = 0; i < pattern.len; i++) {
        bool has_number = i + 1 < pattern.len && is_digit(pattern.ptr[i + 1]);
        if (pattern.ptr[i] == '?') {
            char no = has_number ? pattern.ptr[++i] : '?';
            buf_add(&out, example_of(no, when, d));
        } else if (str_starts(str_skip(pattern, i), S(":="))) {
            buf_add(&out, str_equal(when, S("LIKENED")) ? S("LIKE") : S("<"));
            i++;
        } else {
            buf_char(&out, pattern.ptr[i]);
        }
    }
    return buf_str(&out);
}

static void check_row(void **state,
                      otherwise_kind kind,
                      str where,
                      str pattern,
                      str when,
                      bool is_refused)
{
    for (int i = 0; i < DIALECT_COUNT; i++) {
        dialect d = (dialect)i;
        arena all = *check_arena(state);
        arena scratch = check_scratch(state);
        str sql = arena_printf(&all, "SELECT %.*s",
                               STR_ARG(example(&all, pattern, when, d)));
        if (dialect_is_among(d, where, true)) {
            str bare = arena_printf(&all, "SELECT %.*s", STR_ARG(pattern));
            parse_result p = parse_sql(&all, bare, d, scratch);
            parse_result r = parse_sql(&all, sql, d, scratch);
            if (p.errors.len > 0 || r.errors.len > 0) {
                fail_msg("%.*s does not read %.*s", STR_ARG(dialect_word(d)),
                         STR_ARG(bare));
            }
            otherwise o = {.a = &all, .from = d, .scratch = scratch};
            const ast *n = r.statements->kid[SELECT_ITEMS];
            const ast *said = otherwise_said(&o, kind, n);
            if (is_refused ? o.why.len == 0 : !said) {
                fail_msg("%.*s: no row has %.*s", STR_ARG(dialect_word(d)),
                         STR_ARG(sql));
            }
        }
    }
}

// The first that fits may be another one.
static void otherwise_finds_every_row(void **state)
{
#define OWN(where, pattern, as, when) \
    check_row(state, SAID_IN_OWN, S(where), S(pattern), S(#when), false);
#define SQLITE(where, pattern, as, when) \
    check_row(state, SAID_IN_SQLITE, S(where), S(pattern), S(#when), false);
#define TRUTH(where, pattern, as, when) \
    check_row(state, SAID_AS_TRUTH, S(where), S(pattern), S(#when), false);
#define REFUSED(where, pattern, why, when) \
    check_row(state, SAID_IN_SQLITE, S(where), S(pattern), S(#when), true);
#include "sql/otherwise.def"
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(each_function_is_found),
        CHECK_TEST(otherwise_finds_every_row),
        CHECK_TEST(lex_finds_every_keyword),
        CHECK_TEST(lex_finds_every_sign),
        CHECK_TEST(dialects_have_words),
        CHECK_TEST(lex_lists_tokens),
        CHECK_TEST(lex_is_linear),
        CHECK_TEST(template_bounds_hostile_golds),
        CHECK_TEST(template_bounds_bytes),
        CHECK_TEST(edit_distance_is_the_textbook_one),
        CHECK_TEST(text_metrics_survive_large_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
