/*
 * opt.c - reads a command line by the table opt.def.
 *
 * Method      Words are taken from left to right. A word that begins with a
 *             dash, and is longer than it, and is no negative number, is an
 *             option; the rest are values or operands. A value that looks like
 *             an option must be written with `=`, so that a forgotten value is
 *             noticed: `--gold --pred x` is an error, not a file called
 *             "--pred".
 *
 * Invariants  (1) After success every value has been checked against its kind:
 *                 asking for it cannot fail.
 *             (2) The first thing that is wrong ends the parse: one message,
 *                 and where it gives no way out a second one with the hint.
 */
#include "cli/opt.h"

#include "base/buf.h"
#include "cli/other_word.h"

#include <assert.h>
#include <math.h>

// Short names for the columns of the table.
enum {
#define COMMAND(constant, word, usage, operands, line) \
    FOR_##constant = 1 << COMMAND_##constant,
#include "cli/command.def"
#undef COMMAND
    FOR_ALL = (1 << COMMAND_COUNT) - 1,
    REPEATS = OPT_REPEATS,
    MANY = OPT_REPEATS | OPT_MANY,
};

static const opt_spec specs[] = {
#define OPT(constant, long, short, arg, kind, flags, who, group, fallback, t) \
    [OPT_##constant] = {{long, sizeof(long) - 1},                             \
                        short,                                                \
                        {arg, sizeof(arg) - 1},                               \
                        OPT_KIND_##kind,                                      \
                        flags,                                                \
                        who,                                                  \
                        OPT_GROUP_##group,                                    \
                        {fallback, sizeof(fallback) - 1},                     \
                        {t, sizeof(t) - 1}},
#include "cli/opt.def"
#undef OPT
};

_Static_assert(countof(specs) == OPT_COUNT, "every option has a line");

const opt_spec *opt_spec_at(opt_id id)
{
    assert(id < OPT_COUNT);
    return &specs[id];
}

bool opt_is_for(opt_id id, command c)
{
    return (specs[id].commands >> c & 1) != 0;
}

typedef struct opt_reader {
    opt *o;
    arena *a;
    opt_args args;
    ptrdiff_t i;  // the next word
    diag *d;
    arena scratch;
} opt_reader;

static const diag_place nowhere;

// The second message of an error that does not name a way out itself.
static bool reader_hint(opt_reader *r)
{
    return diag_add(r->d, nowhere, "see 'assay help %.*s'",
                    STR_ARG(command_word(r->o->command)));
}

static bool looks_like_option(str word)
{
    return word.len > 1 && word.ptr[0] == '-' && !is_digit(word.ptr[1]);
}

static str reader_peek(const opt_reader *r)
{
    return r->i < r->args.n ? str_from(r->args.words[r->i]) : (str){0};
}

// Which commands have an option of this name: "score, lint".
static str commands_with(opt_reader *r, str name)
{
    buf b = buf_new(r->a);
    for (int c = 0; c < COMMAND_COUNT; c++) {
        bool has_option = false;
        for (int id = 0; id < OPT_COUNT; id++) {
            has_option |= opt_is_for((opt_id)id, (command)c)
                          && str_equal(specs[id].name, name);
        }
        if (has_option) {
            buf_add(&b, b.len > 0 ? S(", ") : S(""));
            buf_add(&b, command_word((command)c));
        }
    }
    return buf_str(&b);
}

static bool unknown_option(opt_reader *r, str name)
{
    str other = other_word(OTHER_OPTION, name, r->o->command);
    if (other.len > 0) {
        return diag_add(r->d, nowhere,
                        "unknown option '--%.*s'; did you mean '%.*s'?",
                        STR_ARG(name), STR_ARG(other));
    }
    str elsewhere = commands_with(r, name);
    if (elsewhere.len > 0) {
        diag_add(r->d, nowhere,
                 "assay %.*s has no option '--%.*s'; it is an option of %.*s",
                 STR_ARG(command_word(r->o->command)), STR_ARG(name),
                 STR_ARG(elsewhere));
        return reader_hint(r);
    }
    str known[OPT_COUNT];
    ptrdiff_t n = 0;
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, r->o->command)) {
            known[n++] = specs[id].name;
        }
    }
    str nearest = diag_nearest(name, known, n, r->scratch);
    if (nearest.len > 0) {
        return diag_add(r->d, nowhere,
                        "unknown option '--%.*s'; did you mean '--%.*s'?",
                        STR_ARG(name), STR_ARG(nearest));
    }
    diag_add(r->d, nowhere, "unknown option '--%.*s'", STR_ARG(name));
    return reader_hint(r);
}

static bool bad_number(opt_reader *r, const opt_spec *spec, str value)
{
    double d = 0;
    if (str_to_double(value, &d) && d < 0) {
        diag_add(r->d, nowhere,
                 "option '--%.*s' may not be below 0, found '%.*s'",
                 STR_ARG(spec->name), STR_ARG(value));
        return reader_hint(r);
    }
    diag_add(r->d, nowhere, "option '--%.*s' needs a %s, found '%.*s'",
             STR_ARG(spec->name),
             spec->kind == OPT_KIND_INT ? "whole number" : "number",
             STR_ARG(value));
    return reader_hint(r);
}

static bool check_choice(opt_reader *r, const opt_spec *spec, str value)
{
    str words[8];
    ptrdiff_t n = 0;
    for (str rest = spec->arg; rest.len > 0 && n < countof(words);) {
        words[n] = str_cut(&rest, '|');
        if (str_equal(words[n++], value)) {
            return true;
        }
    }
    str nearest = diag_nearest(value, words, n, r->scratch);
    diag_add(r->d, nowhere,
             "option '--%.*s' is one of %.*s, found '%.*s'%s%.*s%s",
             STR_ARG(spec->name), STR_ARG(spec->arg), STR_ARG(value),
             nearest.len > 0 ? "; did you mean '" : "", STR_ARG(nearest),
             nearest.len > 0 ? "'?" : "");
    return nearest.len > 0 ? false : reader_hint(r);
}

static bool number_fits(const opt_spec *spec, str value)
{
    int64_t i = 0;
    double d = 0;
    if (spec->kind == OPT_KIND_INT) {
        return str_to_int(value, &i) && i >= 0;
    }
    return str_to_double(value, &d) && isfinite(d) && d >= 0;
}

static void add_words(str_list *values, arena *a, str list)
{
    while (list.len > 0) {
        str word = str_trim(str_cut(&list, ','));
        if (word.len > 0) {
            *vec_push(a, values) = word;
        }
    }
}

// Stores a value of an option that takes one.
static bool take_value(opt_reader *r, opt_id id, str value)
{
    const opt_spec *spec = &specs[id];
    str_list *values = &r->o->values[id];
    bool is_number =
        spec->kind == OPT_KIND_INT || spec->kind == OPT_KIND_NUMBER;
    if (is_number && !number_fits(spec, value)) {
        return bad_number(r, spec, value);
    }
    if (spec->kind == OPT_KIND_CHOICE && !check_choice(r, spec, value)) {
        return false;
    }
    ptrdiff_t before = values->len;
    if (spec->kind == OPT_KIND_LIST) {
        add_words(values, r->a, value);
    } else if (value.len > 0) {
        *vec_push(r->a, values) = value;
    }
    if (values->len == before) {
        diag_add(r->d, nowhere,
                 "option '--%.*s' needs a value that is not empty",
                 STR_ARG(spec->name));
        return reader_hint(r);
    }
    r->o->has[id] = true;
    return true;
}

static bool needs_value(opt_reader *r, const opt_spec *spec)
{
    str found = reader_peek(r);
    diag_add(r->d, nowhere,
             "option '--%.*s' needs a value: --%.*s %.*s%s%.*s%s",
             STR_ARG(spec->name), STR_ARG(spec->name), STR_ARG(spec->arg),
             found.len > 0 ? "; found option '" : "", STR_ARG(found),
             found.len > 0 ? "'" : "");
    return reader_hint(r);
}

// Takes the value from the following words.
static bool take_next(opt_reader *r, opt_id id)
{
    if (r->i >= r->args.n || looks_like_option(reader_peek(r))) {
        return needs_value(r, &specs[id]);
    }
    return take_value(r, id, str_from(r->args.words[r->i++]));
}

static bool take_more(opt_reader *r, opt_id id)
{
    if ((specs[id].flags & OPT_MANY) == 0) {
        return true;
    }
    while (r->i < r->args.n && !looks_like_option(reader_peek(r))) {
        if (!take_value(r, id, str_from(r->args.words[r->i++]))) {
            return false;
        }
    }
    return true;
}

static bool take_flag(opt_reader *r, opt_id id)
{
    r->o->has[id] = true;
    return true;
}

static int find_long(command c, str name)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, c) && str_equal(specs[id].name, name)) {
            return id;
        }
    }
    return -1;
}

static int find_letter(command c, char letter)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, c) && specs[id].letter == letter) {
            return id;
        }
    }
    return -1;
}

// long -> "--" name ["=" value]
static bool take_long(opt_reader *r, str word)
{
    str rest = str_skip(word, 2);
    ptrdiff_t equals = str_find(rest, S("="), 0);
    str name = equals < 0 ? rest : str_sub(rest, 0, equals);
    int found = find_long(r->o->command, name);
    if (found < 0) {
        return unknown_option(r, name);
    }
    opt_id id = (opt_id)found;
    if (specs[id].kind == OPT_KIND_FLAG) {
        if (equals < 0) {
            return take_flag(r, id);
        }
        diag_add(r->d, nowhere, "option '--%.*s' takes no value, found '%.*s'",
                 STR_ARG(name), STR_ARG(str_skip(rest, equals + 1)));
        return reader_hint(r);
    }
    bool taken = equals < 0 ? take_next(r, id)
                            : take_value(r, id, str_skip(rest, equals + 1));
    return taken && take_more(r, id);
}

// short -> "-" flag-letter* [letter [value]]
static bool take_short(opt_reader *r, str word)
{
    for (ptrdiff_t k = 1; k < word.len; k++) {
        int found = find_letter(r->o->command, word.ptr[k]);
        if (found < 0) {
            diag_add(r->d, nowhere, "unknown option '-%c'", word.ptr[k]);
            return reader_hint(r);
        }
        opt_id id = (opt_id)found;
        if (specs[id].kind == OPT_KIND_FLAG) {
            take_flag(r, id);
            continue;
        }
        str value = str_skip(word, k + 1);
        bool taken =
            value.len > 0 ? take_value(r, id, value) : take_next(r, id);
        return taken && take_more(r, id);
    }
    return true;
}

static bool take_operand(opt_reader *r, str word)
{
    command c = r->o->command;
    if (r->o->operands.len == command_operands(c)) {
        diag_add(r->d, nowhere, "unexpected '%.*s' after 'assay %.*s'",
                 STR_ARG(word), STR_ARG(command_word(c)));
        str usage = command_usage(c);
        diag_add(r->d, nowhere, "usage: assay %.*s%s%.*s",
                 STR_ARG(command_word(c)), usage.len > 0 ? " " : "",
                 STR_ARG(usage));
        return reader_hint(r);
    }
    *vec_push(r->a, &r->o->operands) = word;
    return true;
}

static bool take_words(opt_reader *r)
{
    bool options_ended = false;
    while (r->i < r->args.n) {
        str word = str_from(r->args.words[r->i++]);
        bool ok = true;
        if (options_ended || !looks_like_option(word)) {
            ok = take_operand(r, word);
        } else if (str_equal(word, S("--"))) {
            options_ended = true;
        } else if (str_starts(word, S("--"))) {
            ok = take_long(r, word);
        } else {
            ok = take_short(r, word);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

static void fill_fallbacks(opt *o, arena *a)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (o->has[id] || specs[id].fallback.len == 0) {
            continue;
        }
        if (specs[id].kind == OPT_KIND_LIST) {
            add_words(&o->values[id], a, specs[id].fallback);
        } else {
            *vec_push(a, &o->values[id]) = specs[id].fallback;
        }
    }
}

bool opt_parse(opt *o, arena *a, opt_args args, diag *d, arena scratch)
{
    *o = (opt){.command = args.command};
    opt_reader r = {.o = o, .a = a, .args = args, .d = d, .scratch = scratch};
    if (!take_words(&r)) {
        return false;
    }
    fill_fallbacks(o, a);
    return true;
}

bool opt_has(const opt *o, opt_id id)
{
    assert(id < OPT_COUNT);
    return o->has[id];
}

bool opt_flag(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_FLAG);
    return o->has[id];
}

static str last_value(const opt *o, opt_id id)
{
    const str_list *values = &o->values[id];
    return values->len > 0 ? values->ptr[values->len - 1] : (str){0};
}

str opt_text(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_TEXT
           || specs[id].kind == OPT_KIND_CHOICE);
    return last_value(o, id);
}

bool opt_is(const opt *o, opt_id id, str word)
{
    assert(specs[id].kind == OPT_KIND_CHOICE);
    return str_equal(last_value(o, id), word);
}

int64_t opt_int(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_INT);
    int64_t value = 0;
    (void)str_to_int(last_value(o, id), &value);
    return value;
}

double opt_double(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_NUMBER || specs[id].kind == OPT_KIND_INT);
    double value = 0;
    (void)str_to_double(last_value(o, id), &value);
    return value;
}

const str_list *opt_texts(const opt *o, opt_id id)
{
    assert(specs[id].kind != OPT_KIND_FLAG);
    return &o->values[id];
}
