/*
 * law_extract.c - what holds of the extractor, whatever a model writes.
 *
 * Laws        An answer in any wrapper, and in any two within each other, gives
 *             the SQL that was wrapped. What is extracted, extracted again, is
 *             the same. Texts of a megabyte, of shapes that grow, take no
 *             longer than their bytes allow.
 *
 * Usage       law_extract [SEED [TEXTS]]
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/rng.h"
#include "read/extract.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_SEED = 4711,
    DEFAULT_TEXTS = 4000,
    LONG_BYTES = 1 << 20,
    LONG_SECONDS = 10,
    STORE_BYTES = 1 << 29,
};

static const char *const queries[] = {
    "SELECT name FROM singer WHERE age > 35",
    "SELECT a,\n       b\n\nFROM t -- all of them\nWHERE c = 'x; </answer>'",
    "WITH a AS (SELECT 1 AS x)\nSELECT x FROM a ORDER BY x DESC",
    "SELECT count(*) FROM [My Table] WHERE a < b AND c > d;",
};

// What stands before and after an answer.
static const struct {
    const char *before;
    const char *after;
} wrappers[] = {
    {"```sql\n", "\n```"},
    {"Here it is:\n\n```\n", "\n```\n\nIt lists all that was asked for."},
    {"<answer>", "</answer>"},
    {"<think>Perhaps SELECT 1 FROM t?</think>\n", ""},
    {"<final_sql lang=\"sql\">\n", "\n</final_sql>"},
    {"[THINK]```sql\nSELECT 2\n```[/THINK]", "</s>"},
    {"<|channel|>analysis<|message|>SELECT 3<|end|><|start|>assistant"
     "<|channel|>final<|message|>",
     "<|return|>"},
    {"<tool_call>\n<function=run>\n<parameter=sql>\n",
     "\n</parameter>\n</function>\n</tool_call>"},
    {"\xEF\xBB\xBF", "\n"},
    {"<|im_start|>assistant\n", "<|im_end|>"},
    {"<sql>SELECT 4</sql><observation>4</observation><solution>",
     "</solution>"},
};

// Pieces that a text of a megabyte repeats.
static const char *const pieces[] = {
    "```sql\nSELECT 1\n```\n",
    "``` ",
    "`",
    "'",
    "\"'`",
    "<a>",
    "</a>",
    "<a b=",
    "<sql>SELECT 1</sql>\n",
    "<think>",
    "<think>a</think>SELECT 1\n",
    "[{",
    "{\"a\":",
    "{\"sql\": \"SELECT 1\n",
    "{\"sql\": \"SELECT 1\"}\n",
    "-- x\n",
    "\\boxed{",
    "SELECT ",
    "SELECT\n",
    "(SELECT ",
    "SELECT 1; foo bar. ",
    "a. ",
    "SELECT a FROM t\nThis is a line.\n",
    "/* ",
    "WITH a AS (",
    "SELECT 1+",
    "<|channel|>analysis<|message|>SELECT 1<|end|>",
    "1. SELECT 1\n",
    "<",
    "assistantfinal",
    "x `SELECT 1` wait ",
    "\xE2\x80\x8B",
    "[TOOL_CALLS]",
    "> SELECT 1\n, 2\n",
    ">> SELECT 1\n> , 2\n, 3\n",
    "{'a': '",
    "| a |\n '''WITH c AS (SELECT 1)",
    "'sql': 'WITH c AS (SELECT 1)",
    "Attempt 1: SELECT 1\n",
    "SELECT 1;\n a | b\n---+---\n",
    "SELECT 1 [EOT]\n",
    "CREATE TABLE t(a); ",
    "*thinking*\n",
    "~~a ",
    "<!-- a\n",
    "a &lt; 5 AND ",
    "```\n+SELECT 1\n-a\n```\n",
    " ",
    "\n",
    "\n>",
    "; ",
    ": ",
};

static str around(arena *a, const char *before, str inner, const char *after)
{
    return arena_printf(a, "%s%.*s%s", before, STR_ARG(inner), after);
}

static bool fails(const char *law, str raw, str got)
{
    printf("%s\n--- text\n%.*s\n--- extracted\n%.*s\n", law, STR_ARG(raw),
           STR_ARG(got));
    return true;
}

static bool is_stable(arena *a, str raw, str got)
{
    str note = {0};
    str again = extract_sql(a, got, &note);
    return str_equal(again, got) || !fails("not the same again", raw, got);
}

static bool wrapping_holds(arena *a, int outer, int inner, str sql)
{
    str note = {0};
    str one = around(a, wrappers[inner].before, sql, wrappers[inner].after);
    str two = outer < 0 ? one
                        : around(a, wrappers[outer].before, one,
                                 wrappers[outer].after);
    str got = extract_sql(a, two, &note);
    return (str_equal(got, sql) || !fails("wrapped", two, got))
           && is_stable(a, two, got);
}

static bool nesting_holds(arena_store *store)
{
    bool ok = true;
    for (ptrdiff_t q = 0; q < countof(queries); q++) {
        for (int outer = -1; outer < countof(wrappers); outer++) {
            for (int inner = 0; inner < countof(wrappers); inner++) {
                arena a = arena_store_clear(store);
                ok &= wrapping_holds(&a, outer, inner, str_from(queries[q]));
            }
        }
    }
    return ok;
}

// A text of wrappers, queries and pieces, in any order.
static bool mixture_holds(arena *a, rng *r)
{
    buf b = buf_new(a);
    for (ptrdiff_t n = 1 + rng_below(r, 8); n > 0; n--) {
        ptrdiff_t w = rng_below(r, countof(wrappers));
        const char *parts[] = {
            wrappers[w].before,
            wrappers[w].after,
            queries[rng_below(r, countof(queries))],
            pieces[rng_below(r, countof(pieces))],
        };
        buf_add(&b, str_from(parts[rng_below(r, countof(parts))]));
    }
    str note = {0};
    str raw = buf_str(&b);
    return is_stable(a, raw, extract_sql(a, raw, &note));
}

static double seconds_of(arena a,
                         const char *before,
                         const char *piece,
                         ptrdiff_t bytes)
{
    buf b = buf_new(&a);
    buf_add(&b, str_from(before));
    while (b.len < bytes) {
        buf_add(&b, str_from(piece));
    }
    buf_char(&b, 'x');  // blanks behind it would not count
    str note = {0};
    int64_t begun = clock_cpu_ns();
    extract_sql(&a, buf_str(&b), &note);
    return (double)(clock_cpu_ns() - begun) / 1e9;
}

// What takes long, on a loaded machine with sanitizers, must grow as the text
// does: four times as long a text may not take eight times as long.
static bool long_text_holds(arena *a, const char *before, const char *piece)
{
    double seconds = seconds_of(*a, before, piece, LONG_BYTES);
    return seconds < LONG_SECONDS
           || seconds < 8 * seconds_of(*a, before, piece, LONG_BYTES / 4)
           || !fails("slow", str_from(piece), str_from(before));
}

int main(int argc, char **argv)
{
    rng r = {argc > 1 ? strtoull(argv[1], NULL, 10) : DEFAULT_SEED};
    long n = argc > 2 ? strtol(argv[2], NULL, 10) : DEFAULT_TEXTS;
    arena_store store = {0};
    if (!arena_store_open(&store, STORE_BYTES)) {
        return 1;
    }
    bool ok = nesting_holds(&store);
    for (long i = 0; i < n; i++) {
        arena a = arena_store_clear(&store);
        ok &= mixture_holds(&a, &r);
    }
    for (ptrdiff_t i = 0; i < countof(pieces); i++) {
        arena a = arena_store_clear(&store);
        ok &= long_text_holds(&a, "", pieces[i]);
        a = arena_store_clear(&store);
        ok &= long_text_holds(&a, "SELECT a FROM t WHERE b = ", pieces[i]);
    }
    arena a = arena_store_clear(&store);
    ok &= long_text_holds(&a, "SELECT a FROM t\n", "# a\n");
    arena_store_close(&store);
    return ok ? 0 : 1;
}
