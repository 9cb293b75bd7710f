/*
 * output_files.c - see output_files.h.
 *
 * Why         A journal replaces the file that is there. One slip of the hand
 *             (--out where --gold was meant) must not cost a data set.
 *
 * Method      Files are the same when device and inode are, whatever they are
 *             called. What has no inode yet is compared by name. Databases in
 *             a folder are not looked for: an output that begins as a database
 *             does is refused wherever it lies.
 */
#define _XOPEN_SOURCE 700  // S_ISREG with -std=c17
#include "cli/output_files.h"

#include "base/file.h"
#include "cli/dataset_option.h"
#include "cli/pred_option.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// Of all commands; what a command does not have is empty.
static const opt_id outputs[] = {OPT_OUT,          OPT_CSV,   OPT_SUMMARY,
                                 OPT_HTML,         OPT_JUNIT, OPT_PLOT,
                                 OPT_WRITE_PROFILE};
static const opt_id inputs[] = {
    OPT_PRED,        OPT_GOLD,   OPT_DB,     OPT_TABLES,   OPT_SUITE,
    OPT_BASELINE,    OPT_SETUP,  OPT_SCHEMA, OPT_PAIRS,    OPT_RUN,
    OPT_PREFERENCES, OPT_PRICES, OPT_PROMPT, OPT_EXAMPLES, OPT_QUESTIONS,
    OPT_REPLAY,      OPT_RECORD, OPT_DATA,   OPT_FACTS,    OPT_GOLD_RESULTS,
    OPT_GOLD_DB,     OPT_LABELS,
};

typedef struct file_id {
    str path;  // empty: none, or a standard stream
    bool is_there;
    dev_t device;
    ino_t inode;
} file_id;

static file_id identify(str path, arena scratch)
{
    struct stat st;
    if (path.len == 0 || str_equal(path, S("-"))) {
        return (file_id){0};
    }
    bool found = stat(arena_cstr(&scratch, path), &st) == 0;
    if (found && !S_ISREG(st.st_mode)) {
        return (file_id){0};  // a device, a pipe: nothing is lost there
    }
    return found ? (file_id){path, true, st.st_dev, st.st_ino}
                 : (file_id){.path = path};
}

static bool is_same(file_id a, file_id b)
{
    if (a.path.len == 0 || b.path.len == 0) {
        return false;
    }
    return a.is_there && b.is_there ? a.device == b.device && a.inode == b.inode
                                    : str_equal(a.path, b.path);
}

// Says that the two options name one file.
static bool clash(const cli *c, opt_id output, opt_id other, str path)
{
    return cli_refuse(c, "--%.*s and --%.*s are the same file, '%.*s'",
                      STR_ARG(opt_spec_at(output)->name),
                      STR_ARG(opt_spec_at(other)->name), STR_ARG(path));
}

static bool is_no_operand(const cli *c, opt_id output, file_id file)
{
    const str_list *paths = &c->o->operands;
    for (ptrdiff_t i = 0; i < paths->len; i++) {
        if (is_same(file, identify(paths->ptr[i], c->scratch))) {
            return cli_refuse(c, "--%.*s would overwrite '%.*s'",
                              STR_ARG(opt_spec_at(output)->name),
                              STR_ARG(paths->ptr[i]));
        }
    }
    return true;
}

static bool is_apart(const cli *c, opt_id output, file_id file)
{
    if (!is_no_operand(c, output, file)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < countof(inputs); i++) {
        const str_list *paths = opt_texts(c->o, inputs[i]);
        for (ptrdiff_t k = 0; k < paths->len; k++) {
            str path = paths->ptr[k];
            path = inputs[i] == OPT_PRED
                       ? pred_option_split(path, c->scratch).path
                       : path;
            if (is_same(file, identify(path, c->scratch))) {
                return clash(c, output, inputs[i], file.path);
            }
        }
    }
    for (ptrdiff_t i = 0; outputs[i] != output; i++) {
        str path = opt_text(c->o, outputs[i]);
        bool are_stdout = str_equal(path, S("-"))
                          && str_equal(opt_text(c->o, output), S("-"));
        if (are_stdout || is_same(file, identify(path, c->scratch))) {
            return clash(c, output, outputs[i], path);
        }
    }
    return true;
}

// May what is in the file be replaced?
static bool is_ours(const cli *c, opt_id output, file_id file)
{
    char bytes[16];
    arena scratch = c->scratch;
    int fd = open(arena_cstr(&scratch, file.path), O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : 0;
    if (fd >= 0) {
        close(fd);
    }
    str start = {bytes, n > 0 ? n : 0};
    if (str_starts(start, S("SQLite format 3"))) {
        return cli_refuse(c, "'%.*s' is a database; --%.*s would overwrite it",
                          STR_ARG(file.path),
                          STR_ARG(opt_spec_at(output)->name));
    }
    bool is_journal =
        c->o->command == COMMAND_SCORE
        || (c->o->command == COMMAND_LINT && !lint_writes_sarif(c->o));
    if (output == OPT_OUT && is_journal && start.len > 0
        && !str_starts(start, S("{\"journal\":"))) {
        return cli_refuse(
            c,
            "'%.*s' exists and is not a journal; remove it, or give "
            "--out another name",
            STR_ARG(file.path));
    }
    return true;
}

bool output_files_are_apart(const cli *c)
{
    for (ptrdiff_t i = 0; i < countof(outputs); i++) {
        file_id file = identify(opt_text(c->o, outputs[i]), c->scratch);
        if (!is_apart(c, outputs[i], file)
            || (file.is_there && !is_ours(c, outputs[i], file))) {
            return false;
        }
    }
    return true;
}

bool outputs_take_stdout(const cli *c)
{
    bool take = false;
    for (ptrdiff_t i = 0; i < countof(outputs); i++) {
        take |= str_equal(opt_text(c->o, outputs[i]), S("-"));
    }
    return take;
}

bool output_can_be_read(const cli *c, opt_id output)
{
    arena scratch = c->scratch;
    str path = opt_text(c->o, output);
    return path.len > 0 && !str_equal(path, S("-"))
           && !file_is_special(arena_cstr(&scratch, path));
}
