/*
 * kind_cli.c - kind `cli`: a shell session, what it prints and how it ends.
 *
 * Method      `files NAME` and `db NAME` (SQL, run into a SQLite file NAME)
 *             fill an empty temporary folder. Each `$ ` line of `run` is run
 *             there by sh with the built assay first on PATH; under it stand
 *             its standard output, its standard error marked [stderr], and
 *             [exit N] unless N is 0. The key `link` names files or folders of
 *             the project that the folder shall have too.
 *
 * Invariants  A line `...` stands for any lines. When all that the command
 *             printed fits, the text of the case stays as it is, so blessing
 *             keeps the dots.
 */
#define _XOPEN_SOURCE 700  // mkdtemp
#include "base/file.h"
#include "kind.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char PROMPT[] = "$ ";
// Beside the folder in which the commands run.
static const char OUT_NAME[] = "../stdout";
static const char ERR_NAME[] = "../stderr";

// Makes the folders of `path` below the folder `root`.
static void make_parents(arena scratch, str root, str path)
{
    for (ptrdiff_t at = str_find(path, S("/"), 0); at >= 0;
         at = str_find(path, S("/"), at + 1)) {
        str folder = str_sub(path, 0, at);
        str full =
            arena_printf(&scratch, "%.*s/%.*s", STR_ARG(root), STR_ARG(folder));
        mkdir(full.ptr, 0700);
    }
}

static str path_in(arena *a, str root, str name)
{
    return arena_printf(a, "%.*s/%.*s", STR_ARG(root), STR_ARG(name));
}

static void make_file(test_case *c, str root, str name, str body)
{
    arena *a = case_arena(c);
    make_parents(case_scratch(c), root, name);
    str path = path_in(a, root, name);
    FILE *file = fopen(path.ptr, "wb");
    if (!file) {
        case_broken(c, "cannot make '%.*s': %s", STR_ARG(name),
                    strerror(errno));
        return;
    }
    fwrite(body.ptr, 1, (size_t)body.len, file);
    if (body.len > 0) {
        fputc('\n', file);
    }
    fclose(file);
}

static void make_db(test_case *c, str root, str name, str sql)
{
    arena *a = case_arena(c);
    make_parents(case_scratch(c), root, name);
    sqlite3 *db = NULL;
    if (sqlite3_open(path_in(a, root, name).ptr, &db) != SQLITE_OK
        || sqlite3_exec(db, arena_cstr(a, sql), NULL, NULL, NULL)
               != SQLITE_OK) {
        case_broken(c, "db '%.*s': %s", STR_ARG(name), sqlite3_errmsg(db));
    }
    sqlite3_close(db);
}

static const char *project_folder(arena *a)
{
    const char *given = getenv("ASSAY_ROOT");
    char here[4096];
    if (given || !getcwd(here, sizeof here)) {
        return given;
    }
    return arena_cstr(a, str_from(here));
}

static void make_links(test_case *c, str root)
{
    arena *a = case_arena(c);
    str project = str_from(project_folder(a));
    str names = case_key(c, "link");
    while (names.len > 0) {
        str name = str_cut(&names, ' ');
        make_parents(case_scratch(c), root, name);
        str target = path_in(a, project, name);
        if (!file_exists(target.ptr)
            || symlink(target.ptr, path_in(a, root, name).ptr) != 0) {
            case_broken(c, "cannot link '%.*s'", STR_ARG(name));
        }
    }
}

static void fill_folder(test_case *c, str root)
{
    str name;
    str body;
    for (ptrdiff_t i = 0; case_section_at(c, "files", i, &name, &body); i++) {
        make_file(c, root, name, body);
    }
    for (ptrdiff_t i = 0; case_section_at(c, "db", i, &name, &body); i++) {
        make_db(c, root, name, body);
    }
    make_links(c, root);
}

// The path without its last part.
static str folder_of(str path)
{
    while (path.len > 0 && path.ptr[path.len - 1] != '/') {
        path.len--;
    }
    path.len -= path.len > 1;
    return path;
}

// Where commands are looked for: the folder of the assay under test ($ASSAY_BIN
// or the one above this program's), that of this program, then as usual.
static str command_path(arena *a)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);
    str here = folder_of((str){self, n > 0 ? n : 0});
    str given = str_from(getenv("ASSAY_BIN"));
    str bin = folder_of(given.len > 0 ? given : here);
    return arena_printf(a, "%.*s:%.*s:%s", STR_ARG(bin), STR_ARG(here),
                        getenv("PATH"));
}

static void redirect(int fd, const char *name)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, fd) < 0) {
        _exit(126);
    }
    close(file);
}

// What started the tests may ignore signals, SIGPIPE above all, and a command
// would inherit that: `od | grep -q` then complains.
static void reset_signals(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], SIG_DFL);
    }
}

// In the child: becomes sh, with a plain environment.
static void exec_shell(const char *folder, const char *seconds, char *line)
{
    int null = open("/dev/null", O_RDONLY);
    if (chdir(folder) != 0 || null < 0 || dup2(null, 0) < 0) {
        _exit(126);
    }
    redirect(1, OUT_NAME);
    redirect(2, ERR_NAME);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TZ", "UTC0", 1);
    setenv("TERM", "dumb", 1);
    unsetenv("COLUMNS");
    reset_signals();
    execlp("timeout", "timeout", "-k", "1", seconds, "sh", "-c", line,
           (char *)NULL);
    _exit(127);
}

// The exit code of the command, 128 + n when signal n ended it.
static int run_shell(test_case *c, str folder, str line)
{
    arena scratch = case_scratch(c);
    str path = command_path(&scratch);
    str outer = folder_of(folder);
    const char *temporary = arena_cstr(&scratch, outer);
    str seconds = arena_printf(&scratch, "%lld",
                               (long long)case_key_int(c, "seconds", 60));
    char *command = arena_cstr(&scratch, line);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("PATH", path.ptr, 1);
        setenv("HOME", folder.ptr, 1);
        setenv("TMPDIR", temporary, 1);
        exec_shell(folder.ptr, seconds.ptr, command);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        case_broken(c, "cannot run sh: %s", strerror(errno));
        return 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Adds the lines of a file of the folder, each after `mark`.
static void add_file_lines(test_case *c,
                           str_list *lines,
                           str folder,
                           const char *name,
                           const char *mark)
{
    arena *a = case_arena(c);
    diag d = diag_new(a);
    file_map map = {0};
    if (!file_open(&map, a, path_in(a, folder, str_from(name)), &d)) {
        case_broken(c, "cannot read what the command printed");
        return;
    }
    str rest = arena_str(a, map.bytes);
    file_close(&map);
    while (rest.len > 0) {
        str line = str_cut(&rest, '\n');
        if (mark[0] && str_starts(line, S("assay: no sandbox of "))) {
            continue;  // of this kernel or build, and not of the case
        }
        str *made = vec_push(a, lines);
        if (!mark[0] && str_starts(line, S(PROMPT))) {
            case_broken(c, "a printed line looks like a command: '%.*s'",
                        STR_ARG(line));
        }
        *made = mark[0] ? arena_printf(a, "%s%.*s", mark, STR_ARG(line)) : line;
    }
}

static str_list run_command(test_case *c, str folder, str command)
{
    arena *a = case_arena(c);
    str_list got = {0};
    int code = run_shell(c, folder, command);
    add_file_lines(c, &got, folder, OUT_NAME, "");
    add_file_lines(c, &got, folder, ERR_NAME, "[stderr] ");
    if (code != 0) {
        str *line = vec_push(a, &got);
        *line = arena_printf(a, "[exit %d]", code);
    }
    return got;
}

// True when the lines fit the pattern, in which `...` stands for any lines.
// The usual glob: on a misfit the last dots take one line more.
static bool lines_fit(const str *want, ptrdiff_t n_want, str_list got)
{
    ptrdiff_t w = 0;
    ptrdiff_t g = 0;
    ptrdiff_t dots = -1;
    ptrdiff_t resume = 0;
    while (g < got.len) {
        if (w < n_want && str_equal(want[w], S("..."))) {
            dots = w++;
            resume = g;
        } else if (w < n_want && str_equal(want[w], got.ptr[g])) {
            w++;
            g++;
        } else if (dots >= 0) {
            w = dots + 1;
            g = ++resume;
        } else {
            return false;
        }
    }
    while (w < n_want && str_equal(want[w], S("..."))) {
        w++;
    }
    return w == n_want;
}

static str_list split(arena *a, str text)
{
    str_list lines = {0};
    while (text.len > 0) {
        str line = str_cut(&text, '\n');
        *vec_push(a, &lines) = line;
    }
    return lines;
}

static void add_lines(buf *out, const str *lines, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(out, lines[i]);
        buf_char(out, '\n');
    }
}

// Runs the session and gives it back with what the commands really printed.
static void run_session(test_case *c, str folder, str session)
{
    arena *a = case_arena(c);
    str_list text = split(a, session);
    buf out = {0};
    arena_store store;
    if (!arena_store_open(&store, (ptrdiff_t)1 << 30)) {
        case_broken(c, "no memory");
        return;
    }
    arena out_memory = arena_store_clear(&store);
    out = buf_new(&out_memory);
    for (ptrdiff_t i = 0; i < text.len;) {
        if (!str_starts(text.ptr[i], S(PROMPT))) {
            case_broken(c, "the session does not begin with a '$ ' line");
            break;
        }
        ptrdiff_t from = i + 1;
        ptrdiff_t to = from;
        while (to < text.len && !str_starts(text.ptr[to], S(PROMPT))) {
            to++;
        }
        str command = str_skip(text.ptr[i], 2);
        str_list got = run_command(c, folder, command);
        add_lines(&out, text.ptr + i, 1);
        if (lines_fit(text.ptr + from, to - from, got)) {
            add_lines(&out, text.ptr + from, to - from);
        } else {
            add_lines(&out, got.ptr, got.len);
        }
        i = to;
    }
    case_output(c, "run", buf_str(&out));
    arena_store_close(&store);
}

static void run_cli(test_case *c)
{
    arena *a = case_arena(c);
    char outer[TEMPORARY_SIZE];
    temporary_pattern(outer, "");
    if (!mkdtemp(outer)) {
        case_broken(c, "no temporary folder: %s", strerror(errno));
        return;
    }
    str folder = path_in(a, str_from(outer), S("w"));
    make_parents(case_scratch(c), str_from(outer), S("w/"));
    fill_folder(c, folder);
    run_session(c, folder, case_section(c, "run"));
    temporary_remove(outer);
}

const test_kind kind_cli = {
    .name = "cli",
    .sections = "files db run",
    .keys = "link seconds",
    .run = run_cli,
};
