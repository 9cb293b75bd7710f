/*
 * cmd_example.c - `assay example`: a small data set to try everything on, for
 * those who have the program and no sources.
 *
 * Method      The program carries the files of examples/cinema. They go into a
 *             folder that must not exist: nothing of anybody is written over.
 */
#include "base/embedded.h"
#include "cli/out_file.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

extern const embedded_file example_files[];
extern const ptrdiff_t example_files_count;

// What they are called in the folder, in the order in which they are embedded.
static const char *const names[] = {
    "questions.jsonl",
    "model.jsonl",
    "cinema.sql",
};

bool cmd_example(cli *c)
{
    assert(example_files_count == countof(names));
    str folder = c->o->operands.len > 0 ? c->o->operands.ptr[0] : S("cinema");
    if (mkdir(arena_cstr(c->room, folder), 0777) != 0) {
        return cli_say(c, "%.*s: cannot make the folder: %s", STR_ARG(folder),
                       strerror(errno));
    }
    for (ptrdiff_t i = 0; i < countof(names); i++) {
        const embedded_file *f = &example_files[i];
        str path = arena_printf(c->room, "%.*s/%s", STR_ARG(folder), names[i]);
        if (!out_file_put(c, path, (str){f->bytes, f->size})) {
            return false;
        }
    }
    str text = arena_printf(
        c->room,
        "%.*s: 8 questions with gold SQL, a model's answers, and a database\n",
        STR_ARG(folder));
    return opt_flag(c->o, OPT_QUIET) || cli_print(c, text);
}
