/*
 * api_check.c - assay_check() and what belongs to it: include/assay/assay.h on
 * top of src/check.
 */
#include "api_call.h"
#include "base/clock.h"
#include "check/check_line.h"
#include "schema/schema_ddl.h"

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
    check_options options;
    char *ddl;  // to begin anew from
    ptrdiff_t ddl_bytes;
};

struct assay_check_result {
    assay_relation answer;
    assay_str reason;
    assay_str witness;
    assay_str json;
};

static check_options options_from(const assay_check_options *given)
{
    assay_check_options none = {0};
    const assay_check_options *g = given ? given : &none;
    check_options o = check_default_options();
    o.databases = g->databases ? g->databases : o.databases;
    o.assume = g->assumes_nothing ? 0 : o.assume;
    o.by_position = g->same_column_order != 0;
    o.clock_ms =
        clock_bound(g->clock_ms ? g->clock_ms : (int64_t)time(NULL) * 1000);
    return o;
}

// What a call works with, and how it ends.
typedef struct open_call {
    assay_checker *c;
    assay_error *err;
    assay_status status;
} open_call;

static bool open_schema(assay_checker *c, diag *d)
{
    arena scratch = arena_store_clear(&c->scratch);
    c->a = arena_store_clear(&c->store);
    str text = arena_str(&c->a, (str){c->ddl, c->ddl_bytes});
    if (!schema_from_given(&c->schema, &c->a, S("ddl"), text, DIALECT_SQLITE,
                           DIALECT_SQLITE, d, scratch)) {
        return false;
    }
    c->checker = checker_open(&c->a, &c->schema, &c->options, d, scratch);
    return c->checker != NULL;
}

static void open_checker(void *context)
{
    open_call *call = context;
    arena messages = arena_store_clear(&call->c->results);
    diag d = diag_new(&messages);
    call->status = open_schema(call->c, &d)
                       ? ASSAY_OK
                       : api_fail_diag(call->err, ASSAY_ERR_ENGINE, &d);
}

static assay_status open_or_fail(assay_checker *c, assay_error *err)
{
    open_call call = {.c = c, .err = err};
    return api_call(open_checker, &call)
               ? call.status
               : api_fail(err, ASSAY_ERR_LIMIT,
                          S("the tables take more memory than there is"));
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
        return api_fail(err, ASSAY_ERR_USAGE,
                        S("out and ddl must not be NULL"));
    }
    assay_checker *c = calloc(1, sizeof *c);
    if (!c || !(c->ddl = malloc(ddl.len + 1))
        || !arena_store_open(&c->store, CHECKER_BYTES)
        || !arena_store_open(&c->results, PAIR_BYTES)
        || !arena_store_open(&c->scratch, PAIR_BYTES)) {
        assay_checker_close(c);
        return api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
    }
    memcpy(c->ddl, ddl.ptr, ddl.len);
    c->ddl_bytes = (ptrdiff_t)ddl.len;
    c->options = options_from(options);
    assay_status status = open_or_fail(c, err);
    if (status != ASSAY_OK) {
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
        free(c->ddl);
        free(c);
    }
}

typedef struct pair_result {
    const check_verdict *v;
    str line;
} pair_result;

static void fill(void *answer, api_texts *t, const void *from)
{
    static const assay_relation answers[] = {
        [CHECK_UNKNOWN] = ASSAY_RELATION_UNKNOWN,
        [CHECK_EQUIVALENT] = ASSAY_EQUIVALENT,
        [CHECK_DIFFERENT] = ASSAY_DIFFERENT,
    };
    const pair_result *r = from;
    *(assay_check_result *)answer = (assay_check_result){
        answers[r->v->answer], api_keep(t, r->v->reason),
        api_keep(t, r->v->witness.sql), api_keep(t, r->line)};
}

// Decides one pair.
typedef struct pair_call {
    assay_checker *c;
    str left;
    str right;
    assay_check_result *result;
} pair_call;

static void check_pair(void *context)
{
    pair_call *call = context;
    assay_checker *c = call->c;
    arena a = arena_store_clear(&c->results);
    arena scratch = arena_store_clear(&c->scratch);
    check_verdict v = checker_pair(c->checker, call->left, call->right,
                                   DIALECT_SQLITE, &a, scratch);
    buf line = buf_new(&a);
    check_line_add(&line, &(check_asked){0}, &v, true, scratch);
    pair_result result = {&v, buf_str(&line)};
    call->result = api_answer(sizeof *call->result, fill, &result);
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
        return api_fail(err, ASSAY_ERR_USAGE, S("out and c must not be NULL"));
    }
    // After a call that was left in the middle.
    assay_status status = c->checker ? ASSAY_OK : open_or_fail(c, err);
    if (status != ASSAY_OK) {
        return status;
    }
    pair_call call = {c, api_str(left), api_str(right), NULL};
    if (!api_call(check_pair, &call)) {
        checker_close(c->checker);
        c->checker = NULL;
        return api_fail(err, ASSAY_ERR_LIMIT,
                        S("the pair takes more memory than there is"));
    }
    *out = call.result;
    return *out ? ASSAY_OK : api_fail(err, ASSAY_ERR_LIMIT, S("out of memory"));
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
