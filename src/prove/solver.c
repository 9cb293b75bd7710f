/*
 * solver.c - loading Z3, asking it; see solver.h.
 *
 * Method      Without an error handler Z3 prints and ends the process, so there
 *             is one that does nothing, and the error code is looked at after
 *             each call. Steps stop a question first, the same on any machine;
 *             time stops what takes long without many steps. What a context
 *             allocated for formulas it keeps, so it is made anew when it has
 *             grown or when something went wrong.
 */
#include "prove/solver.h"

#include "base/clock.h"
#include "base/library.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct z3 z3;

typedef struct solver_api {
#define Z3(result, name, parameters) result(*name) parameters;
#include "prove/solver_api.def"
#undef Z3
} solver_api;

enum {
    OLDEST = 408,              // version 4.8
    ANSWER_NO = -1,            // of Z3_solver_check
    CONTEXT_BYTES = 64 << 20,  // that a context may have taken
    LEVELS_MAX = 100,
    NAME_MAX_BYTES = 1 << 16,
    MESSAGE_BYTES = 1 << 15,
};

typedef enum solver_state {
    SOLVER_UNTRIED,
    SOLVER_ABSENT,
    SOLVER_LOADED,
} solver_state;

struct solver {
    solver_limits limits;
    solver_state state;
    str problem;  // SOLVER_ABSENT: why
    arena a;      // of the message
    void *library;
    solver_api api;
    z3 *context;  // NULL: none
    void *asked;  // its solver
    int levels;
    int64_t spent_ns;
    bool has_failed;
    bool gave_up;
    char name[NAME_MAX_BYTES];
};

solver_limits solver_default_limits(void)
{
    return (solver_limits){
        .steps = 500000,
        .timeout_ms = 500,
        .pair_ms = 2000,
        .memory_mb = 512,
    };
}

const char *solver_file(void)
{
    const char *file = getenv("ASSAY_Z3");
    return file ? file : "libz3.so.4";
}

solver *solver_new(arena *a, solver_limits limits)
{
    solver *s = arena_new(a, solver, 1);
    s->limits = limits;
    s->a.next = arena_new(a, char, MESSAGE_BYTES);
    s->a.end = s->a.next + MESSAGE_BYTES;
    return s;
}

static void ignore_error(z3 *context, unsigned code)
{
    (void)context;
    (void)code;
}

static void close_context(solver *s)
{
    assert(s->context || !s->asked);  // the solver lives in the context
    if (s->context) {
        if (s->asked) {
            s->api.solver_dec_ref(s->context, s->asked);
        }
        s->api.del_context(s->context);
    }
    s->context = NULL;
    s->asked = NULL;
    s->levels = 0;
}

void solver_close(solver *s)
{
    if (s) {
        close_context(s);
        library_close(s->library);
        s->library = NULL;
    }
}

static bool load(solver *s, diag *d)
{
    static const char *const names[] = {
#define Z3(result, name, parameters) "Z3_" #name,
#include "prove/solver_api.def"
#undef Z3
    };
    const library_spec spec = {
        .file = solver_file(),
        .needed = "the solver needs the library libz3.so.4 (Debian: libz3-4)",
        .names = names,
        .n_names = countof(names),
    };
    if (!library_load(&s->library, (void **)&s->api, &spec, d)) {
        return false;
    }
    unsigned v[4] = {0};
    s->api.get_version(&v[0], &v[1], &v[2], &v[3]);
    if (v[0] * 100 + v[1] < OLDEST) {
        return diag_add(d, (diag_place){0}, "%s is too old: %u.%u", spec.file,
                        v[0], v[1]);
    }
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)s->limits.memory_mb);
    s->api.global_param_set("memory_max_size", text);
    return true;
}

bool solver_load(solver *s, diag *d)
{
    if (s->state == SOLVER_UNTRIED) {
        diag found = diag_new(&s->a);
        s->state = load(s, &found) ? SOLVER_LOADED : SOLVER_ABSENT;
        s->problem =
            found.messages.len > 0 ? found.messages.ptr[0].text : (str){0};
    }
    return s->state == SOLVER_LOADED
           || diag_add(d, (diag_place){0}, "%.*s", STR_ARG(s->problem));
}

static bool is_broken(solver *s)
{
    if (s->context && s->api.get_error_code(s->context) != 0) {
        s->has_failed = true;
        s->gave_up = true;
    }
    return s->has_failed;
}

static void set_limits(solver *s)
{
    assert(s->context && s->asked);
    void *params = s->api.mk_params(s->context);
    if (is_broken(s)) {
        return;
    }
    s->api.params_inc_ref(s->context, params);
    s->api.params_set_uint(s->context, params,
                           s->api.mk_string_symbol(s->context, "timeout"),
                           (unsigned)s->limits.timeout_ms);
    s->api.params_set_uint(s->context, params,
                           s->api.mk_string_symbol(s->context, "rlimit"),
                           (unsigned)s->limits.steps);
    s->api.solver_set_params(s->context, s->asked, params);
    s->api.params_dec_ref(s->context, params);
}

static bool open_context(solver *s)
{
    void *config = s->api.mk_config();
    s->context = s->api.mk_context(config);
    s->api.del_config(config);
    if (!s->context) {
        return false;
    }
    void *handler = NULL;
    void (*ignore)(z3 *, unsigned) = ignore_error;
    memcpy(&handler, &ignore, sizeof handler);
    s->api.set_error_handler(s->context, handler);
    return true;
}

// A solver of its own for each pair: what was asked before decides nothing.
static bool open_asked(solver *s)
{
    if (s->asked) {
        s->api.solver_dec_ref(s->context, s->asked);
    }
    s->asked = s->api.mk_simple_solver(s->context);
    if (is_broken(s) || !s->asked) {
        return false;
    }
    s->api.solver_inc_ref(s->context, s->asked);
    set_limits(s);
    return !is_broken(s);
}

static bool is_there(solver *s)
{
    if (s->state == SOLVER_UNTRIED) {
        arena scratch = s->a;
        scratch.next += MESSAGE_BYTES / 2;
        diag d = diag_new(&scratch);
        solver_load(s, &d);
    }
    return s->state == SOLVER_LOADED;
}

bool solver_begin(solver *s)
{
    if (!s || !is_there(s)) {
        return false;
    }
    bool is_worn =
        s->has_failed || s->api.get_estimated_alloc_size() > CONTEXT_BYTES;
    if (s->context && is_worn) {
        close_context(s);
    }
    s->has_failed = false;
    s->gave_up = false;
    s->spent_ns = 0;
    s->levels = 0;
    return (s->context || open_context(s)) && open_asked(s);
}

bool solver_is_absent(const solver *s)
{
    return s && s->state == SOLVER_ABSENT;
}

int64_t solver_bytes(const solver *s)
{
    return s->context ? (int64_t)s->api.get_estimated_alloc_size() : 0;
}

bool solver_gave_up(const solver *s)
{
    return s && s->gave_up;
}

void solver_fail(solver *s)
{
    s->has_failed = true;
    s->gave_up = true;
}

void solver_push(solver *s)
{
    assert(s->has_failed || s->asked);  // after solver_begin()
    s->levels++;
    if (s->levels > LEVELS_MAX) {
        solver_fail(s);
    }
    if (!s->has_failed) {
        s->api.solver_push(s->context, s->asked);
        is_broken(s);
    }
}

void solver_pop(solver *s)
{
    assert(s->levels > 0);  // each pop has its push
    s->levels--;
    if (!s->has_failed) {
        s->api.solver_pop(s->context, s->asked, 1);
        is_broken(s);
    }
}

void solver_assert(solver *s, formula *f)
{
    assert(s->has_failed || s->asked);  // after solver_begin()
    if (!s->has_failed) {
        s->api.solver_assert(s->context, s->asked, f);
        is_broken(s);
    }
}

bool solver_refutes(solver *s, formula *f)
{
    int64_t start = clock_cpu_ns();
    if (s->has_failed) {
        return false;
    }
    if (s->spent_ns / 1000000 > s->limits.pair_ms) {
        s->gave_up = true;
        return false;
    }
    solver_push(s);
    solver_assert(s, f);
    int answer = is_broken(s) ? 0 : s->api.solver_check(s->context, s->asked);
    s->gave_up |= answer == 0;
    bool is_refuted = answer == ANSWER_NO && !is_broken(s);
    solver_pop(s);
    s->spent_ns += clock_cpu_ns() - start;
    return is_refuted;
}

// Formulas

// In place of what could not be made.
static formula *nothing(solver *s)
{
    return s->api.mk_false(s->context);
}

static formula *made(solver *s, formula *f)
{
    return is_broken(s) || !f ? nothing(s) : f;
}

static void *sort_of(solver *s, formula_sort sort)
{
    return sort == SORT_OF_TRUTH   ? s->api.mk_bool_sort(s->context)
           : sort == SORT_OF_WHOLE ? s->api.mk_int_sort(s->context)
                                   : s->api.mk_real_sort(s->context);
}

static void *symbol(solver *s, str name)
{
    if (name.len >= NAME_MAX_BYTES
        || memchr(name.ptr, '\0', (size_t)name.len)) {
        solver_fail(s);
        return NULL;
    }
    memcpy(s->name, name.ptr, (size_t)name.len);
    s->name[name.len] = '\0';
    return s->api.mk_string_symbol(s->context, s->name);
}

formula *formula_truth(solver *s, bool value)
{
    return value ? s->api.mk_true(s->context) : s->api.mk_false(s->context);
}

formula *formula_whole(solver *s, int64_t n)
{
    return s->has_failed ? nothing(s)
                         : made(s, s->api.mk_int64(s->context, n,
                                                   sort_of(s, SORT_OF_WHOLE)));
}

formula *formula_number(solver *s, const char *decimal)
{
    return s->has_failed
               ? nothing(s)
               : made(s, s->api.mk_numeral(s->context, decimal,
                                           sort_of(s, SORT_OF_NUMBER)));
}

formula *formula_variable(solver *s, formula_sort sort, str name)
{
    void *named = s->has_failed ? NULL : symbol(s, name);
    return named ? made(s, s->api.mk_const(s->context, named, sort_of(s, sort)))
                 : nothing(s);
}

formula *formula_apply(solver *s,
                       formula_sort sort,
                       str name,
                       formula *const *args,
                       const formula_sort *sorts,
                       int n)
{
    enum {
        ARGS_MAX = 16
    };
    void *of[ARGS_MAX];
    void *named = s->has_failed || n > ARGS_MAX ? NULL : symbol(s, name);
    if (!named) {
        solver_fail(s);
        return nothing(s);
    }
    for (int i = 0; i < n; i++) {
        of[i] = sort_of(s, sorts[i]);
    }
    void *function = s->api.mk_func_decl(s->context, named, (unsigned)n, of,
                                         sort_of(s, sort));
    return is_broken(s) || !function
               ? nothing(s)
               : made(s,
                      s->api.mk_app(s->context, function, (unsigned)n, args));
}

formula *formula_not(solver *s, formula *f)
{
    return s->has_failed ? f : made(s, s->api.mk_not(s->context, f));
}

formula *formula_and(solver *s, formula *a, formula *b)
{
    formula *both[] = {a, b};
    return s->has_failed ? a : made(s, s->api.mk_and(s->context, 2, both));
}

formula *formula_or(solver *s, formula *a, formula *b)
{
    formula *both[] = {a, b};
    return s->has_failed ? a : made(s, s->api.mk_or(s->context, 2, both));
}

formula *formula_if(solver *s, formula *test, formula *yes, formula *no)
{
    return s->has_failed ? yes
                         : made(s, s->api.mk_ite(s->context, test, yes, no));
}

formula *formula_equal(solver *s, formula *a, formula *b)
{
    return s->has_failed ? a : made(s, s->api.mk_eq(s->context, a, b));
}

formula *formula_less(solver *s, formula *a, formula *b)
{
    return s->has_failed ? a : made(s, s->api.mk_lt(s->context, a, b));
}

formula *formula_less_equal(solver *s, formula *a, formula *b)
{
    return s->has_failed ? a : made(s, s->api.mk_le(s->context, a, b));
}

formula *formula_sum(solver *s, formula *a, formula *b)
{
    formula *both[] = {a, b};
    return s->has_failed ? a : made(s, s->api.mk_add(s->context, 2, both));
}

formula *formula_product(solver *s, formula *a, formula *b)
{
    formula *both[] = {a, b};
    return s->has_failed ? a : made(s, s->api.mk_mul(s->context, 2, both));
}

formula *formula_minus(solver *s, formula *a)
{
    return s->has_failed ? a : made(s, s->api.mk_unary_minus(s->context, a));
}

formula *formula_to_number(solver *s, formula *whole)
{
    return s->has_failed ? whole
                         : made(s, s->api.mk_int2real(s->context, whole));
}
