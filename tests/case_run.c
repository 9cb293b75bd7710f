/*
 * case_run.c - what happens to one case: its keys and sections are checked
 * against its kind, the kind runs, its outputs are compared with the `want`
 * sections.
 *
 * Invariants  (1) A case passes only if at least one output was compared.
 *             (2) An output is the same text as its section, byte for byte but
 *                 for blank lines at the end.
 *             (3) `todo` turns a failing case into a skipped one and a passing
 *                 case into a failing one; a case that is wrong in itself
 *                 (case_broken, unknown key) fails all the same.
 */
#include "case_run.h"

#include "diff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct case_made {
    str name;
    str text;
} case_made;

struct test_case {
    const case_file *file;
    const case_text *text;
    const test_kind *kind;
    arena memory;
    arena scratch;
    vec_of(case_made) outputs;
    bool is_broken;
    bool is_skipped;
    buf report;
};

#define KIND(name) extern const test_kind name;
#include "kinds.def"
#undef KIND

static const test_kind *const all_kinds[] = {
#define KIND(name) &name,
#include "kinds.def"
#undef KIND
};

static const int64_t DEFAULT_MEMORY = (int64_t)1 << 30;

const test_kind *kind_find(str name)
{
    for (ptrdiff_t i = 0; i < countof(all_kinds); i++) {
        if (str_equal(str_from(all_kinds[i]->name), name)) {
            return all_kinds[i];
        }
    }
    return NULL;
}

// What a kind may ask and say (kind.h).

str case_section(const test_case *c, const char *name)
{
    str body = {0};
    case_section_at(c, name, 0, NULL, &body);
    return body;
}

bool case_has_section(const test_case *c, const char *name)
{
    return case_section_at(c, name, 0, NULL, NULL);
}

bool case_section_at(const test_case *c,
                     const char *name,
                     ptrdiff_t i,
                     str *argument,
                     str *body)
{
    for (ptrdiff_t k = 0; k < c->text->bodies.len; k++) {
        const case_body *b = &c->text->bodies.ptr[k];
        if (!str_equal(b->name, str_from(name)) || i-- > 0) {
            continue;
        }
        if (argument) {
            *argument = b->argument;
        }
        if (body) {
            *body = b->body;
        }
        return true;
    }
    return false;
}

str case_key(const test_case *c, const char *key)
{
    for (ptrdiff_t i = 0; i < c->text->keys.len; i++) {
        if (str_equal(c->text->keys.ptr[i].key, str_from(key))) {
            return c->text->keys.ptr[i].value;
        }
    }
    return (str){0};
}

int64_t case_key_int(const test_case *c, const char *key, int64_t fallback)
{
    int64_t n = fallback;
    str_to_int(case_key(c, key), &n);
    return n;
}

str case_engine(const test_case *c)
{
    str engine = case_key(c, "engine");
    return engine.len > 0 ? engine : S("sqlite");
}

// $ASSAY_TEST_POSTGRES for engine postgres: scripts in tests/servers/ set it.
str case_server(const test_case *c)
{
    char name[64];
    snprintf(name, sizeof name, "ASSAY_TEST_%.*s", STR_ARG(case_engine(c)));
    for (char *at = name; *at; at++) {
        *at = to_upper(*at);
    }
    return str_from(getenv(name));
}

arena *case_arena(test_case *c)
{
    return &c->memory;
}

arena case_scratch(test_case *c)
{
    return c->scratch;
}

void case_output(test_case *c, const char *name, str text)
{
    case_made *made = vec_push(&c->memory, &c->outputs);
    made->name = str_from(name);
    made->text = arena_str(&c->memory, case_drop_blank_end(text));
}

void case_broken(test_case *c, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->is_broken = true;
    buf_printf(&c->report, "the case is wrong: %s\n", text);
}

void case_skip(test_case *c, str why)
{
    c->is_skipped = true;
    buf_add(&c->report, why);
}

// A complaint about line `line` of the case file.
static void complain(test_case *c, int64_t line, const char *what, str subject)
{
    c->is_broken = true;
    buf_printf(&c->report, "%.*s:%lld: %s '%.*s'\n", STR_ARG(c->file->path),
               (long long)line, what, STR_ARG(subject));
}

static bool is_word_of(str word, const char *words)
{
    str rest = str_from(words);
    while (rest.len > 0) {
        if (str_equal(str_cut(&rest, ' '), word)) {
            return true;
        }
    }
    return false;
}

static void check_keys(test_case *c)
{
    for (ptrdiff_t i = 0; i < c->text->keys.len; i++) {
        const case_key_line *k = &c->text->keys.ptr[i];
        if (!is_word_of(k->key, "todo engine limit_bytes")
            && !is_word_of(k->key, c->kind->keys)) {
            complain(c, k->line, "unknown key", k->key);
        }
        for (ptrdiff_t j = 0; j < i; j++) {
            if (str_equal(k->key, c->text->keys.ptr[j].key)) {
                complain(c, k->line, "the case has this key already:", k->key);
            }
        }
    }
}

static void check_sections(test_case *c)
{
    for (ptrdiff_t i = 0; i < c->text->bodies.len; i++) {
        const case_body *b = &c->text->bodies.ptr[i];
        if (!str_equal(b->name, S("want"))
            && !is_word_of(b->name, c->kind->sections)) {
            complain(c, b->line, "unknown section", b->name);
        }
    }
}

// The section that output `name` is compared with, or NULL: `want name`, or
// the input section `name` of kinds whose input holds their output.
static const case_body *section_of_output(const test_case *c, str name)
{
    const case_body *b = case_body_find(c->text, S("want"), name);
    return b || name.len == 0 ? b : case_body_find(c->text, name, (str){0});
}

// Notes that blessing would write `text` into the section.
static void add_change(arena *a,
                       case_result *r,
                       test_case *c,
                       const case_body *b,
                       str text)
{
    case_change *change = vec_push(a, &r->changes);
    *change = (case_change){c->text, b, arena_str(a, text)};
}

// Compares one output; true when it was compared and is as wanted.
static bool check_output(arena *a,
                         case_result *r,
                         test_case *c,
                         const case_made *made)
{
    const case_body *b = section_of_output(c, made->name);
    if (!b || str_equal(b->body, made->text)) {
        return b;
    }
    buf_add(&c->report, b->body.len == 0 ? S("--- want (empty)\n+++ got\n")
                                         : S("--- want\n+++ got\n"));
    diff_add(&c->report, b->body, made->text, b->line + 1, c->scratch);
    if (case_file_has_fence(c->file, made->text)) {
        complain(c, b->line, "the output holds a fence: take longer ones in",
                 c->file->path);
        return false;
    }
    add_change(a, r, c, b, made->text);
    return false;
}

// Every `want NAME` must have been made by the kind.
static void check_wants(test_case *c)
{
    for (ptrdiff_t i = 0; i < c->text->bodies.len; i++) {
        const case_body *b = &c->text->bodies.ptr[i];
        bool is_made = !str_equal(b->name, S("want"));
        for (ptrdiff_t k = 0; k < c->outputs.len; k++) {
            is_made |= str_equal(c->outputs.ptr[k].name, b->argument);
        }
        if (!is_made) {
            complain(c, b->line, "the kind made no output for 'want'",
                     b->argument);
        }
    }
}

// True when the outputs are as wanted.
static bool check_outputs(arena *a, case_result *r, test_case *c)
{
    ptrdiff_t n_compared = 0;
    bool is_good = true;
    for (ptrdiff_t i = 0; i < c->outputs.len; i++) {
        const case_made *made = &c->outputs.ptr[i];
        if (section_of_output(c, made->name)) {
            n_compared++;
            is_good &= check_output(a, r, c, made);
        }
    }
    if (n_compared > 0 || c->is_broken) {
        return is_good;
    }
    buf_add(&c->report, S("the case wants nothing (bless adds the section)\n"));
    for (ptrdiff_t i = 0; i < c->outputs.len; i++) {
        if (c->outputs.ptr[i].name.len == 0) {
            add_change(a, r, c, NULL, c->outputs.ptr[i].text);
        }
    }
    return false;
}

static case_outcome judge(arena *a, case_result *r, test_case *c)
{
    str engine = case_engine(c);
    if (!str_equal(engine, S("sqlite")) && case_server(c).len == 0) {
        buf_printf(&c->report, "no engine '%.*s' here", STR_ARG(engine));
        return CASE_SKIPPED;
    }
    check_keys(c);
    check_sections(c);
    if (c->is_broken) {
        return CASE_FAILED;
    }
    c->kind->run(c);
    if (c->is_skipped) {
        return CASE_SKIPPED;
    }
    bool is_good = check_outputs(a, r, c);
    check_wants(c);
    str todo = case_key(c, "todo");
    if (c->is_broken || todo.len == 0) {
        return is_good && !c->is_broken ? CASE_PASSED : CASE_FAILED;
    }
    r->changes.len = 0;
    if (!is_good) {
        c->report.len = 0;
        buf_printf(&c->report, "todo: %.*s", STR_ARG(todo));
        return CASE_SKIPPED;
    }
    buf_printf(&c->report, "passes, but is marked 'todo: %.*s'\n",
               STR_ARG(todo));
    return CASE_FAILED;
}

static void case_memory_full(void)
{
    fputs("out of memory (see limit_bytes)\n", stderr);
    abort();
}

// Both stores, open and of `size` bytes; false: there is no such memory.
static bool open_stores(case_memory *m, int64_t size)
{
    if (size > 0 && m->size == size) {
        return true;
    }
    arena_store_close(&m->memory);
    arena_store_close(&m->scratch);
    bool ok = size > 0 && arena_store_open(&m->memory, size)
              && arena_store_open(&m->scratch, size);
    m->size = ok ? size : 0;
    return ok;
}

case_result case_run(arena *a,
                     case_memory *stores,
                     const test_kind *kind,
                     const case_file *file,
                     const case_text *text)
{
    test_case c = {.file = file, .text = text, .kind = kind};
    case_result r = {.outcome = CASE_FAILED};
    if (!open_stores(stores, case_key_int(&c, "limit_bytes", DEFAULT_MEMORY))) {
        r.report = S("no memory for the case\n");
        return r;
    }
    c.memory = arena_store_clear(&stores->memory);
    c.scratch = arena_store_clear(&stores->scratch);
    c.memory.on_full = case_memory_full;
    c.scratch.on_full = case_memory_full;
    c.report = buf_new(a);
    r.outcome = judge(a, &r, &c);
    r.report = arena_str(a, buf_str(&c.report));
    return r;
}
