/*
 * opt_parse.c - reads a command line by the table opt.def (opt.h).
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
#include "base/buf.h"
#include "base/words.h"
#include "cli/opt_value.h"
#include "cli/other_word.h"

#include <math.h>

typedef struct opt_reader {
    opt *o;
    arena *a;
    opt_args args;
    ptrdiff_t i;  // the next word
    diag *d;
    arena scratch;
} opt_reader;

// For an error whose message does not name a way out itself: one more message.
static bool with_hint(opt_reader *r, bool ok)
{
    diag_add(r->d, (diag_place){0}, "see 'assay help %.*s'",
             STR_ARG(command_word(r->o->command)));
    return ok;
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
        if (opt_named((command)c, name) >= 0) {
            buf_list(&b, command_word((command)c));
        }
    }
    return buf_str(&b);
}

// The option of the command that is called most like it, with its dashes.
static str nearest_option(opt_reader *r, str name)
{
    str known[OPT_COUNT];
    ptrdiff_t n = 0;
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, r->o->command)) {
            known[n++] = opt_spec_at((opt_id)id)->name;
        }
    }
    str near = diag_nearest(name, known, n, r->scratch);
    return near.len > 0 ? arena_printf(r->a, "--%.*s", STR_ARG(near)) : near;
}

static bool unknown_option(opt_reader *r, str name)
{
    str near = other_word(OTHER_OPTION, name, r->o->command);
    str elsewhere = near.len > 0 ? (str){0} : commands_with(r, name);
    if (elsewhere.len > 0) {
        return with_hint(
            r, diag_add(r->d, (diag_place){0},
                        "assay %.*s has no option '--%.*s'; it is an option "
                        "of %.*s",
                        STR_ARG(command_word(r->o->command)), STR_ARG(name),
                        STR_ARG(elsewhere)));
    }
    near = near.len > 0 ? near : nearest_option(r, name);
    diag_add(r->d, (diag_place){0}, "unknown option '--%.*s'%.*s",
             STR_ARG(name), STR_ARG(diag_did_you_mean(r->a, near)));
    return near.len > 0 ? false : with_hint(r, false);
}

static bool check_number(opt_reader *r, const opt_spec *spec, str value)
{
    int64_t i = 0;
    double d = 0;
    bool is_number = str_to_double(value, &d);
    bool is_int = spec->kind == OPT_KIND_INT;
    if (is_int ? str_to_int(value, &i) && i >= 0
               : is_number && isfinite(d) && d >= 0) {
        return true;
    }
    return with_hint(
        r, is_number && d < 0
               ? diag_add(r->d, (diag_place){0},
                          "option '--%.*s' may not be below 0, found '%.*s'",
                          STR_ARG(spec->name), STR_ARG(value))
               : diag_add(r->d, (diag_place){0},
                          "option '--%.*s' needs a %s, found '%.*s'",
                          STR_ARG(spec->name),
                          is_int ? "whole number" : "number", STR_ARG(value)));
}

static bool check_choice(opt_reader *r, opt_id id, str value)
{
    const opt_spec *spec = opt_spec_at(id);
    str_list words = opt_value_words(r->a, id, r->o->command);
    if (words_in(words.ptr, words.len, value) >= 0) {
        return true;
    }
    str near = diag_nearest(value, words.ptr, words.len, r->scratch);
    diag_add(r->d, (diag_place){0},
             "option '--%.*s' must be one of %.*s, found '%.*s'%.*s",
             STR_ARG(spec->name), STR_ARG(spec->arg), STR_ARG(value),
             STR_ARG(diag_did_you_mean(r->a, near)));
    return near.len > 0 ? false : with_hint(r, false);
}

// What the kind of the option asks for, then what its rows in opt_value.def do.
static bool check_value(opt_reader *r, opt_id id, str value)
{
    const opt_spec *spec = opt_spec_at(id);
    bool is_number =
        spec->kind == OPT_KIND_INT || spec->kind == OPT_KIND_NUMBER;
    if ((is_number && !check_number(r, spec, value))
        || (spec->kind == OPT_KIND_CHOICE && !check_choice(r, id, value))) {
        return false;
    }
    str problem = opt_value_problem(r->a, id, r->o->command, value);
    return problem.len == 0
           || with_hint(
               r, diag_add(r->d, (diag_place){0}, "%.*s", STR_ARG(problem)));
}

// Stores a value of an option that takes one.
static bool take_value(opt_reader *r, opt_id id, str value)
{
    str_list *values = &r->o->values[id];
    ptrdiff_t before = values->len;
    if (opt_spec_at(id)->kind == OPT_KIND_LIST) {
        opt_value_split(values, r->a, value, ',');
    } else if (value.len > 0) {
        *vec_push(r->a, values) = value;
    }
    for (ptrdiff_t i = before; i < values->len; i++) {
        if (!check_value(r, id, values->ptr[i])) {
            return false;
        }
    }
    r->o->has[id] = true;
    return values->len > before
           || with_hint(r, diag_add(r->d, (diag_place){0},
                                    "option '--%.*s' needs a value that is "
                                    "not empty",
                                    STR_ARG(opt_spec_at(id)->name)));
}

static bool needs_value(opt_reader *r, const opt_spec *spec)
{
    str found = reader_peek(r);
    return with_hint(
        r, diag_add(r->d, (diag_place){0},
                    "option '--%.*s' needs a value: --%.*s %.*s%s%.*s%s",
                    STR_ARG(spec->name), STR_ARG(spec->name),
                    STR_ARG(spec->arg), found.len > 0 ? "; found option '" : "",
                    STR_ARG(found), found.len > 0 ? "'" : ""));
}

// Takes the value from the following words.
static bool take_next(opt_reader *r, opt_id id)
{
    if (r->i >= r->args.n || looks_like_option(reader_peek(r))) {
        return needs_value(r, opt_spec_at(id));
    }
    return take_value(r, id, str_from(r->args.words[r->i++]));
}

static bool take_more(opt_reader *r, opt_id id)
{
    if ((opt_spec_at(id)->flags & OPT_MANY) == 0) {
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

// long -> "--" name ["=" value]
static bool take_long(opt_reader *r, str word)
{
    str rest = str_skip(word, 2);
    ptrdiff_t equals = str_find(rest, S("="), 0);
    str name = equals < 0 ? rest : str_sub(rest, 0, equals);
    int found = opt_named(r->o->command, name);
    if (found < 0) {
        return unknown_option(r, name);
    }
    opt_id id = (opt_id)found;
    if (opt_spec_at(id)->kind == OPT_KIND_FLAG) {
        if (equals < 0) {
            return take_flag(r, id);
        }
        return with_hint(
            r, diag_add(r->d, (diag_place){0},
                        "option '--%.*s' takes no value, found '%.*s'",
                        STR_ARG(name), STR_ARG(str_skip(rest, equals + 1))));
    }
    bool taken = equals < 0 ? take_next(r, id)
                            : take_value(r, id, str_skip(rest, equals + 1));
    return taken && take_more(r, id);
}

// short -> "-" flag-letter* [letter [value]]
static bool take_short(opt_reader *r, str word)
{
    for (ptrdiff_t k = 1; k < word.len; k++) {
        int found = opt_lettered(r->o->command, word.ptr[k]);
        if (found < 0) {
            return with_hint(r, diag_add(r->d, (diag_place){0},
                                         "unknown option '-%c'", word.ptr[k]));
        }
        opt_id id = (opt_id)found;
        if (opt_spec_at(id)->kind == OPT_KIND_FLAG) {
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
    if (r->o->operands.len == command_of(c)->operands) {
        diag_add(r->d, (diag_place){0}, "unexpected '%.*s' after 'assay %.*s'",
                 STR_ARG(word), STR_ARG(command_word(c)));
        str usage = command_of(c)->usage;
        diag_add(r->d, (diag_place){0}, "usage: assay %.*s%s%.*s",
                 STR_ARG(command_word(c)), usage.len > 0 ? " " : "",
                 STR_ARG(usage));
        return with_hint(r, false);
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
        const opt_spec *spec = opt_spec_at((opt_id)id);
        if (o->has[id] || spec->fallback.len == 0) {
            continue;
        }
        if (spec->kind == OPT_KIND_LIST) {
            opt_value_split(&o->values[id], a, spec->fallback, ',');
        } else {
            *vec_push(a, &o->values[id]) = spec->fallback;
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
