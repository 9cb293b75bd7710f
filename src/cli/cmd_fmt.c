/*
 * cmd_fmt.c - `assay fmt`: SQL laid out, on one line, or as a tree.
 *
 * An operand is a file, `-` for standard input, or SQL itself. What cannot be
 * parsed is not printed: each mistake is said with the line it stands on. Only
 * --oneline goes on with the next statement; a broken one leaves an empty line,
 * so that line N stays statement N.
 */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "sql/outline.h"
#include "sql/print.h"

#include <unistd.h>

// Reserved, not used: a text of 10 MB takes about a gigabyte.
static const ptrdiff_t FMT_BYTES = (ptrdiff_t)64 << 30;

typedef struct fmt {
    const cli *c;
    dialect dialect;
    print_layout layout;
    bool differs;  // --check found something
    arena a;
    arena scratch;
} fmt;

// One text that was asked for.
typedef struct fmt_input {
    str name;  // in messages
    str sql;
    file_map file;
    bool is_file;  // a file with a name, which can be written
    ptrdiff_t n_mistakes;
} fmt_input;

static bool is_sql(str word)
{
    return str_find(word, S(" "), 0) >= 0 || str_find(word, S("\n"), 0) >= 0
           || str_find(word, S(";"), 0) >= 0 || str_find(word, S("("), 0) >= 0;
}

static bool open_input(fmt *f, fmt_input *in, str word)
{
    const char *path = arena_cstr(&f->scratch, word);
    *in = (fmt_input){.name = word};
    if (!str_equal(word, S("-")) && !file_exists(path) && is_sql(word)) {
        in->name = S("sql");
        in->sql = word;
        return true;
    }
    if (!file_open(&in->file, &f->a, word, f->c->d)) {
        return false;
    }
    in->is_file = !str_equal(word, S("-"));
    in->sql = in->file.bytes;
    return true;
}

enum {
    SAID_MAX = 100,  // mistakes of an input; to find the line of each costs
};

// The mistakes of a piece of the input that begins at offset `base`.
static void say_errors(const fmt *f,
                       fmt_input *in,
                       const parse_result *r,
                       ptrdiff_t base)
{
    for (ptrdiff_t i = 0; i < r->errors.len; i++) {
        if (in->n_mistakes++ >= SAID_MAX) {
            continue;
        }
        arena scratch = f->scratch;
        parse_error e = r->errors.ptr[i];
        e.pos += (int32_t)base;
        cli_say_lines(f->c, parse_error_show(&scratch, in->name, in->sql, e));
    }
}

// Pieces of a text with mistakes in it: what is whole is printed.
static void print_pieces(fmt *f, fmt_input *in, buf *out)
{
    for (ptrdiff_t at = 0; at < in->sql.len;) {
        ptrdiff_t end = sql_statement_end(in->sql, at, f->dialect);
        str piece = str_sub(in->sql, at, end);
        arena a = f->a;
        parse_result r = parse_file(&a, piece, f->dialect, f->scratch);
        say_errors(f, in, &r, at);
        if (r.errors.len > 0) {
            buf_char(out, '\n');
        } else {
            print_script(out, piece, &r, f->dialect, f->layout, f->scratch);
        }
        at = end;
    }
    if (in->n_mistakes > SAID_MAX) {
        cli_say(f->c, "%.*s: ... and %td more", STR_ARG(in->name),
                in->n_mistakes - SAID_MAX);
    }
}

// What --check and --write do where the text is not as it should be.
static bool settle(fmt *f, const fmt_input *in, str text)
{
    if (str_equal(in->sql, text)) {
        return true;
    }
    if (!opt_flag(f->c->o, OPT_CHECK)) {
        return file_write(in->name, text, f->c->d, f->scratch);
    }
    arena scratch = f->scratch;
    f->differs = true;
    return cli_print(
        f->c, arena_printf(&scratch, "would change %.*s\n", STR_ARG(in->name)));
}

static bool format_input(fmt *f, fmt_input *in)
{
    parse_result r = parse_file(&f->a, in->sql, f->dialect, f->scratch);
    bool broken = r.errors.len > 0;
    bool pieces =
        broken && f->layout == PRINT_ONE_LINE && !opt_flag(f->c->o, OPT_TREE);
    // Text grows in an arena of its own.
    arena_store store;
    if (!arena_store_open(&store, FMT_BYTES)) {
        return cli_no_space(f->c);
    }
    arena room = arena_store_clear(&store);
    buf out = buf_new(&room);
    if (pieces) {
        print_pieces(f, in, &out);
    } else {
        say_errors(f, in, &r, 0);
    }
    if (opt_flag(f->c->o, OPT_TREE)) {
        print_trees(&out, &r, f->scratch);
    } else if (!broken) {
        print_script(&out, in->sql, &r, f->dialect, f->layout, f->scratch);
    }
    bool ok = opt_flag(f->c->o, OPT_CHECK) || opt_flag(f->c->o, OPT_WRITE)
                  ? !broken && settle(f, in, buf_str(&out))
                  : cli_print(f->c, buf_str(&out)) && !broken;
    arena_store_close(&store);
    return ok;
}

static bool format_all(fmt *f, const str_list *words)
{
    bool ok = true;
    for (ptrdiff_t i = 0; i < words->len; i++) {
        fmt each = *f;
        fmt_input in;
        if (!open_input(&each, &in, words->ptr[i])) {
            ok = false;
            continue;
        }
        if (opt_flag(f->c->o, OPT_WRITE) && !in.is_file) {
            file_close(&in.file);
            return cli_refuse(f->c, "--write needs files, found '%.*s'",
                              STR_ARG(words->ptr[i]));
        }
        ok = format_input(&each, &in) && ok;
        f->differs |= each.differs;
        file_close(&in.file);
    }
    return ok && (!f->differs || cli_ends(f->c, EXIT_CODE_FAILED));
}

bool cmd_fmt(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    fmt f = {.c = c,
             .layout =
                 opt_flag(c->o, OPT_ONELINE) ? PRINT_ONE_LINE : PRINT_PRETTY,
             .a = *c->room,
             .scratch = scratch};
    str input = S("-");
    const str_list none = {.ptr = &input, .len = 1};
    dialect_from_word(opt_text(c->o, OPT_DIALECT), &f.dialect);
    if (c->o->operands.len == 0 && terminal_is(STDIN_FILENO)) {
        return cli_refuse(c, "nothing to format: give files or SQL");
    }
    return format_all(&f, c->o->operands.len > 0 ? &c->o->operands : &none);
}
