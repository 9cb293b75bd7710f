/*
 * cmd_example.c - `assay example`: a small data set to try everything on, for
 * those who have the program and no sources.
 *
 * Method      The program carries the files of examples/cinema. They go into a
 *             folder that must not exist: nothing of anybody is written over.
 */
#include "base/embedded.h"
#include "base/file_atomic.h"
#include "cli/cli.h"

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

static bool write_file(const cli *c, str folder, ptrdiff_t i)
{
    arena a = c->scratch;
    const embedded_file *f = &example_files[i];
    str path = arena_printf(&a, "%.*s/%s", STR_ARG(folder), names[i]);
    file_atomic part = {0};
    bool ok = file_atomic_open(&part, &a, path)
              && cli_write(c, part.file, (str){f->bytes, f->size})
              && file_atomic_close(&part);
    if (!ok) {
        cli_say(c, "%.*s: cannot write: %s", STR_ARG(path), strerror(errno));
        file_atomic_discard(&part);
    }
    return ok;
}

exit_code cmd_example(cli *c, arena *a, arena_store *lines)
{
    (void)lines;
    assert(example_files_count == countof(names));
    str folder = c->o->operands.len > 0 ? c->o->operands.ptr[0] : S("cinema");
    if (mkdir(arena_cstr(a, folder), 0777) != 0) {
        cli_say(c, "%.*s: cannot make the folder: %s", STR_ARG(folder),
                strerror(errno));
        return EXIT_CODE_INPUT;
    }
    for (ptrdiff_t i = 0; i < countof(names); i++) {
        if (!write_file(c, folder, i)) {
            return EXIT_CODE_INPUT;
        }
    }
    str text = arena_printf(
        a,
        "%.*s: 8 questions with gold SQL, a model's answers, and a database\n",
        STR_ARG(folder));
    bool is_quiet = opt_flag(c->o, OPT_QUIET);
    return is_quiet || cli_print(c, text) ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}
