/*
 * bench_sql.c - microseconds a query for the front end.
 *
 * The golds of Spider dev ($ASSAY_DATA, default ../shared/data; leaves with 77
 * without it), one after another on one thread: processor time, the least of
 * ROUNDS rounds over all of them. Texts and schemas are read outside of the
 * time; memory is given back after each query.
 */
#include "base/clock.h"
#include "base/file.h"
#include "schema/bind.h"
#include "schema/schema_spider.h"
#include "sql/lex.h"
#include "sql/print.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ROUNDS = 30,
    EXIT_SKIPPED = 77,
};

typedef struct gold {
    str sql;
    const schema *schema;
} gold;

typedef struct bench {
    arena a;
    arena scratch;
    vec_of(gold) golds;
    ptrdiff_t bytes;
    schema_list tables;
} bench;

typedef void work(const gold *g, arena a, arena scratch);

static void lex_only(const gold *g, arena a, arena scratch)
{
    (void)scratch;
    lex_all(&a, g->sql, DIALECT_SQLITE, LEX_DROP_COMMENTS);
}

static void parse_only(const gold *g, arena a, arena scratch)
{
    parse_sql(&a, g->sql, DIALECT_SQLITE, scratch);
}

static void parse_print(const gold *g, arena a, arena scratch)
{
    parse_result r = parse_sql(&a, g->sql, DIALECT_SQLITE, scratch);
    buf out = buf_new(&a);
    print_sql(&out, r.statements, DIALECT_SQLITE, PRINT_ONE_LINE, scratch);
}

static void parse_pretty(const gold *g, arena a, arena scratch)
{
    parse_result r = parse_sql(&a, g->sql, DIALECT_SQLITE, scratch);
    buf out = buf_new(&a);
    print_sql(&out, r.statements, DIALECT_SQLITE, PRINT_PRETTY, scratch);
}

static void parse_bind(const gold *g, arena a, arena scratch)
{
    parse_result r = parse_sql(&a, g->sql, DIALECT_SQLITE, scratch);
    bind_query(&a, r.statements, g->schema, DIALECT_SQLITE, scratch);
}

static void parse_bind_print(const gold *g, arena a, arena scratch)
{
    parse_result r = parse_sql(&a, g->sql, DIALECT_SQLITE, scratch);
    bind_query(&a, r.statements, g->schema, DIALECT_SQLITE, scratch);
    buf out = buf_new(&a);
    print_sql(&out, r.statements, DIALECT_SQLITE, PRINT_ONE_LINE, scratch);
}

static void measure(const bench *b, const char *what, work *do_it)
{
    double least = 1e300;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t start = clock_cpu_ns();
        for (ptrdiff_t i = 0; i < b->golds.len; i++) {
            do_it(&b->golds.ptr[i], b->a, b->scratch);
        }
        double us = (double)(clock_cpu_ns() - start) / 1e3;
        least = us < least ? us : least;
    }
    printf("  %-28s %7.3f us a query  %6.1f MB/s\n", what,
           least / (double)b->golds.len, (double)b->bytes / least);
    fflush(stdout);
}

static bool read_text(bench *b, const char *name, str *out)
{
    const char *folder = getenv("ASSAY_DATA");
    str path = arena_printf(&b->a, "%s/spider/%s",
                            folder ? folder : "../shared/data", name);
    diag d = diag_new(&b->a);
    file_map file;
    if (!file_open(&file, &b->a, path, &d)) {
        return false;
    }
    *out = arena_str(&b->a, file.bytes);
    file_close(&file);
    return true;
}

static bool read_golds(bench *b)
{
    str tables;
    str rest;
    diag d = diag_new(&b->a);
    if (!read_text(b, "tables.json", &tables)
        || !read_text(b, "dev_gold.sql", &rest)
        || !schema_list_read(&b->tables, &b->a, S("tables.json"), tables, &d,
                             b->scratch)) {
        return false;
    }
    while (rest.ptr) {
        str line = str_cut(&rest, '\n');
        str sql = str_cut(&line, '\t');
        const schema *s = schema_list_find(&b->tables, str_trim(line));
        arena local = b->a;
        if (sql.len > 0 && s
            && parse_sql(&local, sql, DIALECT_SQLITE, b->scratch).statements) {
            *vec_push(&b->a, &b->golds) = (gold){sql, s};
            b->bytes += sql.len;
        }
    }
    return b->golds.len > 0;
}

int main(void)
{
    arena_store stores[2];
    for (int i = 0; i < 2; i++) {
        if (!arena_store_open(&stores[i], (ptrdiff_t)1 << 30)) {
            return 1;
        }
    }
    bench b = {.a = arena_store_clear(&stores[0]),
               .scratch = arena_store_clear(&stores[1])};
    if (!read_golds(&b)) {
        printf("skipped: no data\n");
        return EXIT_SKIPPED;
    }
    printf("%td queries, %.1f bytes each\n", b.golds.len,
           (double)b.bytes / (double)b.golds.len);
    measure(&b, "lex", lex_only);
    measure(&b, "parse", parse_only);
    measure(&b, "parse, print", parse_print);
    measure(&b, "parse, print over lines", parse_pretty);
    measure(&b, "parse, bind", parse_bind);
    measure(&b, "parse, bind, print", parse_bind_print);
    return 0;
}
