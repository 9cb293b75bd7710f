/*
 * assay_test.c - assay-test, the runner of all text cases.
 *
 *     assay-test [--bless] [--tap] [--part I/N] [FILE | FILE:LINE | FOLDER]...
 *
 * `--part 2/3` runs every third case, from the second on: three such runs share
 * the cases of a folder.
 *
 * Method      Each file is run in a forked child, which counts in memory
 *             shared with the parent and writes its findings to a pipe. When
 *             the child dies, the case it was at has failed and another child
 *             goes on with the next one: a crash never hides other cases.
 *
 * Not here    The format (case_file.c), one case (case_run.c).
 */
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS, strsignal, scandir
#include "base/buf.h"
#include "base/file.h"
#include "case_run.h"
#include "temporary.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CASE_SECONDS = 320,  // a case that runs longer is killed
    FOLDER_DEPTH = 8
};

typedef enum run_mode {
    RUN_PLAIN,
    RUN_BLESS,
    RUN_TAP,
} run_mode;

typedef struct run_count {
    int64_t passed;
    int64_t failed;
    int64_t skipped;
    int64_t blessed;
} run_count;

// What parent and child both see.
typedef struct run_shared {
    run_count count;
    int64_t at;  // the case that is running
} run_shared;

typedef struct runner {
    const char *program;
    run_mode mode;
    arena memory;
    run_shared *shared;
    run_count total;
    int64_t part;  // of n_parts, from 0
    int64_t n_parts;
    int64_t n_seen;  // cases of the files before this one
} runner;

static void die(const char *what)
{
    perror(what);
    exit(2);
}

// Reports one case: a TAP line and comments, or only what went wrong.
static void print_case(runner *r,
                       const case_file *f,
                       int64_t line,
                       str title,
                       case_outcome outcome,
                       str report)
{
    if (r->mode == RUN_TAP) {
        printf("%s - %.*s:%lld %.*s", outcome == CASE_FAILED ? "not ok" : "ok",
               STR_ARG(f->path), (long long)line, STR_ARG(title));
        printf(outcome == CASE_SKIPPED ? " # SKIP %.*s\n" : "\n",
               STR_ARG(report));
    }
    if (outcome != CASE_FAILED) {
        return;
    }
    const char *margin = r->mode == RUN_TAP ? "# " : "";
    printf("%s%.*s:%lld: %.*s\n", margin, STR_ARG(f->path), (long long)line,
           STR_ARG(title));
    while (report.len > 0) {
        str text = str_cut(&report, '\n');
        printf("%s%.*s\n", margin, STR_ARG(text));
    }
    printf("%srerun: %s %.*s:%lld\n", margin, r->program, STR_ARG(f->path),
           (long long)line);
}

static void count_case(run_count *count, case_outcome outcome)
{
    count->passed += outcome == CASE_PASSED;
    count->failed += outcome == CASE_FAILED;
    count->skipped += outcome == CASE_SKIPPED;
}

// The line after the last of case i.
static int64_t case_end(const case_file *f, int64_t i)
{
    return i + 1 < f->cases.len ? f->cases.ptr[i + 1].line : INT64_MAX;
}

static bool is_selected(const runner *r,
                        const case_file *f,
                        int64_t i,
                        int64_t line)
{
    bool is_there =
        line == 0 || (line >= f->cases.ptr[i].line && line < case_end(f, i));
    return is_there && (r->n_seen + i) % r->n_parts == r->part;
}

// In the child: the cases from `first` on.
static void run_cases(runner *r,
                      const case_file *f,
                      const test_kind *kind,
                      int64_t line,
                      int64_t first)
{
    arena *a = &r->memory;
    case_memory stores = {0};
    vec_of(case_change) changes = {0};
    for (int64_t i = first; i < f->cases.len; i++) {
        const case_text *c = &f->cases.ptr[i];
        if (!is_selected(r, f, i, line)) {
            continue;
        }
        r->shared->at = i;
        alarm(CASE_SECONDS);
        case_result result = case_run(a, &stores, kind, f, c);
        alarm(0);
        if (r->mode == RUN_BLESS && result.changes.len > 0) {
            for (ptrdiff_t k = 0; k < result.changes.len; k++) {
                *vec_push(a, &changes) = result.changes.ptr[k];
            }
            r->shared->count.blessed++;
            continue;
        }
        count_case(&r->shared->count, result.outcome);
        print_case(r, f, c->line, c->title, result.outcome, result.report);
        fflush(stdout);
    }
    if (changes.len > 0) {
        diag d = diag_new(a);
        str text = case_file_bless(a, f, changes.ptr, changes.len);
        if (!file_write(f->path, text, &d, r->memory)) {
            printf("cannot write '%.*s'\n", STR_ARG(f->path));
            r->shared->count.failed++;
        }
    }
    arena_store_close(&stores.memory);
    arena_store_close(&stores.scratch);
}

// Runs the cases from `first` on in a child and prints what it found. Returns
// the case at which it died, or the number of cases.
static int64_t run_child(runner *r,
                         const case_file *f,
                         const test_kind *kind,
                         int64_t line,
                         int64_t first)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) {
        die("fork");
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run_cases(r, f, kind, line, first);
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        die("waitpid");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return f->cases.len;
    }
    int64_t at = r->shared->at;
    str why =
        WIFEXITED(status) ? arena_printf(
            &r->memory, "the test process left with %d\n", WEXITSTATUS(status))
        : WTERMSIG(status) == SIGALRM
            ? arena_printf(&r->memory, "ran longer than %d s\n", CASE_SECONDS)
            : arena_printf(&r->memory, "crashed: %s\n",
                           strsignal(WTERMSIG(status)));
    const case_text *c = &f->cases.ptr[at];
    r->shared->count.failed++;
    print_case(r, f, c->line, c->title, CASE_FAILED, why);
    return at;
}

// A file that cannot be run counts as one failed case.
static void fail_file(runner *r, const case_file *f, const diag *d)
{
    buf report = buf_new(&r->memory);
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        buf_add(&report, diag_format(&r->memory, d->messages.ptr[i]));
        buf_char(&report, '\n');
    }
    r->shared->count.failed++;
    print_case(r, f, 1, S("the file cannot be run"), CASE_FAILED,
               buf_str(&report));
}

static void print_file(runner *r, const case_file *f)
{
    const run_count *n = &r->shared->count;
    r->total.passed += n->passed;
    r->total.failed += n->failed;
    r->total.skipped += n->skipped;
    r->total.blessed += n->blessed;
    if (r->mode == RUN_TAP) {
        return;
    }
    printf("%-4s  %.*s  %lld passed", n->failed ? "FAIL" : "ok",
           STR_ARG(f->path), (long long)n->passed);
    if (n->failed) {
        printf(", %lld failed", (long long)n->failed);
    }
    if (n->skipped) {
        printf(", %lld skipped", (long long)n->skipped);
    }
    if (n->blessed) {
        printf(", %lld blessed", (long long)n->blessed);
    }
    printf("\n");
}

// Reads and runs one file; `line` selects the case that holds it, 0 all.
static void run_file(runner *r, str path, int64_t line)
{
    arena before = r->memory;
    *r->shared = (run_shared){0};
    diag d = diag_new(&r->memory);
    file_map map = {0};
    case_file f = {.path = path};
    const test_kind *kind = NULL;
    if (file_open(&map, &r->memory, path, &d)
        && case_file_read(&f, &r->memory, path, map.bytes, &d)) {
        kind = kind_find(f.kind);
        if (!kind) {
            diag_add(&d, (diag_place){path, 1, 0}, "unknown kind '%.*s'",
                     STR_ARG(f.kind));
        }
    }
    if (kind) {
        for (int64_t i = 0; i < f.cases.len; i++) {
            i = run_child(r, &f, kind, line, i);
        }
        r->n_seen += f.cases.len;
    } else {
        fail_file(r, &f, &d);
    }
    print_file(r, &f);
    file_close(&map);
    r->memory = before;
}

static int is_case_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

// Runs every *.test file below the folder, in the order of their names.
static void run_folder(runner *r, const char *folder, int depth)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_case_entry, alphasort);
    if (n < 0) {
        die(folder);
    }
    for (int i = 0; i < n; i++) {
        str path =
            arena_printf(&r->memory, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        if (str_ends(path, S(".test"))) {
            run_file(r, path, 0);
        } else if (depth > 0 && file_is_folder(path.ptr)) {
            run_folder(r, path.ptr, depth - 1);
        }
    }
    free(entries);
}

static void run_argument(runner *r, const char *argument)
{
    str path = str_from(argument);
    while (path.len > 1 && path.ptr[path.len - 1] == '/') {
        path.len--;
    }
    const char *name = arena_cstr(&r->memory, path);
    if (file_is_folder(name)) {
        run_folder(r, name, FOLDER_DEPTH);
        return;
    }
    str line_text = path;
    str file = str_cut(&line_text, ':');
    int64_t line = 0;
    if (file_exists(name) || !str_to_int(line_text, &line)) {
        file = path;
    }
    run_file(r, file, line);
}

// "2/3": the second of three.
static bool read_part(runner *r, str text)
{
    str part = str_cut(&text, '/');
    bool is_read = str_to_int(part, &r->part) && str_to_int(text, &r->n_parts)
                   && r->part >= 1 && r->part <= r->n_parts;
    r->part--;
    return is_read;
}

static bool read_options(runner *r, int argc, char **argv, int *first)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--bless") == 0) {
            r->mode = RUN_BLESS;
        } else if (strcmp(argv[i], "--tap") == 0) {
            r->mode = RUN_TAP;
        } else if (strcmp(argv[i], "--part") == 0 && i + 1 < argc
                   && read_part(r, str_from(argv[i + 1]))) {
            i++;
        } else {
            fprintf(stderr, "assay-test: unknown option '%s'\n", argv[i]);
            return false;
        }
    }
    *first = i;
    return true;
}

// Comes after the cases in every mode; true when all is well. In TAP it is the
// lines that say what failed: the exit code says whether they are all there.
static bool print_total(runner *r)
{
    const run_count *n = &r->total;
    int64_t all = n->passed + n->failed + n->skipped;
    if (r->mode == RUN_TAP) {
        printf("1..%lld\n", (long long)all);
    }
    printf("%s%lld passed, %lld failed", r->mode == RUN_TAP ? "# " : "",
           (long long)n->passed, (long long)n->failed);
    if (n->skipped) {
        printf(", %lld skipped", (long long)n->skipped);
    }
    printf("\n");
    bool is_done = all > 0 || n->blessed > 0;
    return is_done && (n->failed == 0 || r->mode == RUN_TAP);
}

int main(int argc, char **argv)
{
    runner r = {.program = argv[0], .n_parts = 1};
    int first = 0;
    if (!read_options(&r, argc, argv, &first)) {
        return 2;
    }
    arena_store store;
    if (!arena_store_open(&store, (ptrdiff_t)4 << 30)) {
        die("arena");
    }
    r.memory = arena_store_clear(&store);
    r.shared = mmap(NULL, sizeof *r.shared, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r.shared == MAP_FAILED) {
        die("mmap");
    }
    temporary_begin();
    for (int i = first; i < argc; i++) {
        run_argument(&r, argv[i]);
    }
    if (first == argc) {
        run_argument(&r, "tests/cases");
    }
    bool is_good = print_total(&r);
    munmap(r.shared, sizeof *r.shared);
    arena_store_close(&store);
    return is_good ? 0 : 1;
}
