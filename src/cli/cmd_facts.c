/*
 * cmd_facts.c - `assay facts`: what the data of a database show, for a person
 * and as a file.
 */
#include "base/file_atomic.h"
#include "cli/cli.h"
#include "cli/output_files.h"
#include "job/facts_run.h"

#include <errno.h>
#include <string.h>

static const ptrdiff_t STORE_BYTES = (ptrdiff_t)8 << 30;

static bool write_file(const cli *c, str path, str text)
{
    file_atomic part = {0};
    bool ok =
        file_atomic_open(&part, c->a, path)
        && fwrite(text.ptr, 1, (size_t)text.len, part.file) == (size_t)text.len
        && file_atomic_close(&part);
    if (!ok) {
        cli_say(c, "cannot write '%.*s': %s", STR_ARG(path), strerror(errno));
        file_atomic_discard(&part);
    }
    return ok;
}

static exit_code show(cli *c, arena *a, arena scratch)
{
    str sentences;
    str text;
    diag d = diag_new(a);
    if (!facts_run(opt_text(c->o, OPT_DB), &sentences, &text, a, &d, scratch)) {
        cli_say_all(c, &d, scratch);
        return EXIT_CODE_INPUT;
    }
    str out = opt_text(c->o, OPT_OUT);
    bool is_printed = str_equal(out, S("-"));
    bool ok =
        is_printed || opt_flag(c->o, OPT_QUIET) || cli_print(c, sentences);
    if (is_printed) {
        ok = cli_print(c, text);
    } else if (out.len > 0) {
        ok = write_file(c, out, text) && ok;
    }
    return ok ? EXIT_CODE_DONE : EXIT_CODE_INPUT;
}

exit_code cmd_facts(cli *c)
{
    if (opt_text(c->o, OPT_DB).len == 0) {
        return cli_wrong_use(c, "--db is missing: the database to look at");
    }
    if (!output_files_are_apart(c)) {
        return EXIT_CODE_USAGE;
    }
    return cli_with_room(c, STORE_BYTES, STORE_BYTES, show);
}
