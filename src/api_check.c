/*
 * api_check.c - assay_check() and what belongs to it: include/assay/assay.h on
 * top of src/check.
 */
#include "check/check_line.h"
#include "schema/schema_ddl.h"

#include <assay/assay.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Address space, of which little is used.
static const ptrdiff_t CHECKER_BYTES = (ptrdiff_t)256 << 20;
static const ptrdiff_t PAIR_BYTES = (ptrdiff_t)1 << 30;

struct assay_checker {
    arena_store store;  // schema and checker
    arena_store results;
    arena_store scratch;
    arena a;
    schema schema;
    checker *checker;
};

struct assay_check_result {
    assay_relation answer;
    assay_str reason;
    assay_str witness;
    assay_str json;
};

static assay_status fail(assay_error *err, assay_status status, str message)
{
    if (err) {
        *err = (assay_error){.status = status};
        snprintf(err->message, sizeof err->message, "%.*s", STR_ARG(message));
    }
    return status;
}

static check_options options_from(const assay_check_options *given)
{
    assay_check_options none = {0};
    const assay_check_options *g = given ? given : &none;
    check_options o = check_default_options();
    o.databases = g->databases ? g->databases : o.databases;
    o.assume = g->assumes_nothing ? 0 : o.assume;
    o.by_position = g->same_column_order != 0;
    o.clock_ms = g->clock_ms ? g->clock_ms : (int64_t)time(NULL) * 1000;
    return o;
}

static bool open_schema(assay_checker *c,
                        str ddl,
                        const assay_check_options *given,
                        diag *d)
{
    check_options o = options_from(given);
    arena scratch = arena_store_clear(&c->scratch);
    c->a = arena_store_clear(&c->store);
    str text = arena_str(&c->a, ddl);
    if (!schema_from_ddl(&c->schema, &c->a, S("ddl"), text, DIALECT_SQLITE, d,
                         scratch)) {
        return false;
    }
    c->checker = checker_open(&c->a, &c->schema, &o, d, scratch);
    return c->checker != NULL;
}

assay_status assay_checker_open(assay_checker **out,
                                assay_str ddl,
                                const assay_check_options *options,
                                assay_error *err)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !ddl.ptr) {
        return fail(err, ASSAY_ERR_USAGE, S("out and ddl must not be NULL"));
    }
    assay_checker *c = calloc(1, sizeof *c);
    if (!c || !arena_store_open(&c->store, CHECKER_BYTES)
        || !arena_store_open(&c->results, PAIR_BYTES)
        || !arena_store_open(&c->scratch, PAIR_BYTES)) {
        assay_checker_close(c);
        return fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    arena messages = arena_store_clear(&c->results);
    diag d = diag_new(&messages);
    if (!open_schema(c, (str){ddl.ptr, (ptrdiff_t)ddl.len}, options, &d)) {
        str message =
            d.messages.len > 0 ? d.messages.ptr[0].text : S("out of memory");
        assay_status status = fail(err, ASSAY_ERR_ENGINE, message);
        assay_checker_close(c);
        return status;
    }
    *out = c;
    return ASSAY_OK;
}

void assay_checker_close(assay_checker *c)
{
    if (c) {
        checker_close(c->checker);
        arena_store_close(&c->store);
        arena_store_close(&c->results);
        arena_store_close(&c->scratch);
        free(c);
    }
}

static assay_str keep(char **end, str s)
{
    assay_str kept = {*end, (size_t)s.len};
    if (s.len > 0) {
        memcpy(*end, s.ptr, (size_t)s.len);
    }
    *end += s.len;
    return kept;
}

// A copy of the verdict in one block of its own.
static assay_check_result *result_new(const check_verdict *v, str line)
{
    static const assay_relation answers[] = {
        [CHECK_UNKNOWN] = ASSAY_RELATION_UNKNOWN,
        [CHECK_EQUIVALENT] = ASSAY_EQUIVALENT,
        [CHECK_DIFFERENT] = ASSAY_DIFFERENT,
    };
    ptrdiff_t bytes = v->reason.len + v->witness.sql.len + line.len;
    assay_check_result *r = calloc(1, sizeof *r + (size_t)bytes);
    if (r) {
        char *end = (char *)(r + 1);
        r->answer = answers[v->answer];
        r->reason = keep(&end, v->reason);
        r->witness = keep(&end, v->witness.sql);
        r->json = keep(&end, line);
    }
    return r;
}

assay_status assay_check(assay_check_result **out,
                         assay_checker *c,
                         assay_str left,
                         assay_str right,
                         assay_error *err)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !c) {
        return fail(err, ASSAY_ERR_USAGE, S("out and c must not be NULL"));
    }
    arena a = arena_store_clear(&c->results);
    arena scratch = arena_store_clear(&c->scratch);
    check_verdict v = checker_pair(
        c->checker, (str){left.ptr, (ptrdiff_t)left.len},
        (str){right.ptr, (ptrdiff_t)right.len}, DIALECT_SQLITE, &a, scratch);
    buf line = buf_new(&a);
    check_line_add(&line, S(""), &v, true, scratch);
    *out = result_new(&v, buf_str(&line));
    return *out ? ASSAY_OK : fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
}

void assay_check_free(assay_check_result *r)
{
    free(r);
}

assay_relation assay_check_answer(const assay_check_result *r)
{
    return r->answer;
}

assay_str assay_check_reason(const assay_check_result *r)
{
    return r->reason;
}

assay_str assay_check_witness(const assay_check_result *r)
{
    return r->witness;
}

assay_str assay_check_json(const assay_check_result *r)
{
    return r->json;
}
