/*
 * opt.h - the options of a command line, read by the table opt.def.
 *
 * opt_parse checks everything that the table knows: names, kinds of values,
 * which command takes what. A command then asks for values by constant and
 * gets the table's fallback for what was not given:
 *
 *     opt_double(o, OPT_TIMEOUT)              30.0 unless --timeout was given
 *     opt_has(o, OPT_JOBS) ? opt_int(o, OPT_JOBS) : cores()
 *     for (ptrdiff_t i = 0; i < opt_texts(o, OPT_PRED).n; i++) ...
 *
 * Asking for a value of another kind than the table's is a bug and asserts.
 */
#ifndef ASSAY_CLI_OPT_H
#define ASSAY_CLI_OPT_H

#include "base/diag.h"
#include "cli/command.h"

typedef enum opt_id {
#define OPT(constant, long, short, arg, kind, flags, who, group, fallback, t) \
    OPT_##constant,
#include "cli/opt.def"
#undef OPT
    OPT_COUNT,
} opt_id;

typedef enum opt_kind {
    OPT_KIND_FLAG,
    OPT_KIND_TEXT,
    OPT_KIND_LIST,
    OPT_KIND_INT,
    OPT_KIND_NUMBER,
    OPT_KIND_CHOICE,
} opt_kind;

// In the order of a help page.
typedef enum opt_group {
    OPT_GROUP_INPUT,
    OPT_GROUP_CASES,
    OPT_GROUP_COMPARE,
    OPT_GROUP_OUTPUT,
    OPT_GROUP_GATES,
    OPT_GROUP_LIMITS,
    OPT_GROUP_GENERAL,
    OPT_GROUP_MODEL,
    OPT_GROUP_COUNT,
} opt_group;

enum {
    OPT_REPEATS = 1,
    OPT_MANY = 2,  // only together with OPT_REPEATS
};

// One line of opt.def.
typedef struct opt_spec {
    str name;  // without dashes
    char letter;
    str arg;
    opt_kind kind;
    int flags;
    uint32_t commands;  // bits 1 << command
    opt_group group;
    str fallback;
    str text;
} opt_spec;

const opt_spec *opt_spec_at(opt_id id);
bool opt_is_for(opt_id id, command c);

// The option of a command by its name or letter; -1: it has none.
int opt_named(command c, str name);
int opt_lettered(command c, char letter);

typedef struct opt {
    command command;
    bool has[OPT_COUNT];         // given by the user
    str_list values[OPT_COUNT];  // the given ones, else the fallback
    str_list operands;           // words that are no options
} opt;

// The words after the command's.
typedef struct opt_args {
    command command;
    const char *const *words;
    ptrdiff_t n;
} opt_args;

// Reads the words of a command line. False with one message in `d` for the
// first thing that is wrong, and a second one when it shows no way out. Values
// point into the words and `a`.
bool opt_parse(opt *o, arena *a, opt_args args, diag *d, arena scratch);

bool opt_has(const opt *o, opt_id id);   // given by the user
bool opt_flag(const opt *o, opt_id id);  // FLAG: the same

// The last value given, else the fallback; empty when there is neither.
str opt_text(const opt *o, opt_id id);           // TEXT, CHOICE
bool opt_is(const opt *o, opt_id id, str word);  // CHOICE: is it this word?
int64_t opt_int(const opt *o, opt_id id);        // INT; 0 without a fallback
double opt_double(const opt *o, opt_id id);      // NUMBER, INT

// All values given, in order; of a LIST its words, each trimmed, none empty,
// else the words of the fallback.
const str_list *opt_texts(const opt *o, opt_id id);

#endif  // ASSAY_CLI_OPT_H
