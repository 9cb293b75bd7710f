/*
 * journal.c - see journal.h.
 *
 * Method      Workers answer nearly in order, so an answer that comes before
 *             its predecessor is held for a moment; most journals are in order
 *             as they are written. One that is not is written again, sorted,
 *             beside the old one and put in its place when the run ends.
 */
#include "journal/journal.h"

#include "base/clock.h"
#include "base/file_lock.h"
#include "base/order.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HELD_MAX = 1 << 14,
    HELD_MOST_NS = 200 * 1000 * 1000,
    HELD_MOST_BYTES = 16 << 20,
    UNWRITTEN_MOST_BYTES = 1 << 20,
};

static const ptrdiff_t STORE_BYTES = (ptrdiff_t)8 << 30;

typedef struct journal_held {
    ptrdiff_t rank;
    int32_t case_no;
    str lines;
} journal_held;

static bool fail(const journal *j, diag *d, const char *what)
{
    return diag_add(d, (diag_place){.file = j->path}, "%s: %s", what,
                    strerror(errno));
}

static bool is_stdout(const journal *j)
{
    return str_equal(j->path, S("-"));
}

// Where the lines go: a file, or a sink that cannot be read again.
static bool find_place(journal *j)
{
    if (is_stdout(j)) {
        j->sink = STDOUT_FILENO;
    } else if (j->path.len > 0 && file_is_special(j->path.ptr)) {
        j->sink = open(j->path.ptr, O_WRONLY | O_CLOEXEC);
        return j->sink >= 0;
    } else if (j->path.len > 0) {
        j->target = file_target(j->a, j->path);
    }
    return true;
}

bool journal_lock(int *lock, str path, diag *d, arena scratch)
{
    char *name = path.len > 0 ? file_target(&scratch, path) : NULL;
    *lock = -1;
    if (!name || str_equal(path, S("-")) || file_is_special(name)) {
        return true;
    }
    *lock = file_lock(name);
    diag_place place = {.file = path};
    return *lock >= 0
           || (errno == EBUSY
                   ? diag_add(d, place, "another process is writing it")
                   : diag_add(d, place, "cannot write: %s", strerror(errno)));
}

void journal_unlock(int lock)
{
    if (lock >= 0) {
        close(lock);
    }
}

// An unnamed file for a journal that nobody keeps, or that is printed at the
// end.
static int open_unnamed(void)
{
    FILE *f = tmpfile();
    int fd = f ? dup(fileno(f)) : -1;
    if (f) {
        fclose(f);
    }
    return fd;
}

static bool journal_init(journal *j,
                         arena *a,
                         str path,
                         journal_reader reader,
                         diag *d)
{
    *j = (journal){.path = str_from(arena_cstr(a, path)),
                   .fd = -1,
                   .sink = -1,
                   .a = a,
                   .reader = reader,
                   .is_ordered = true,
                   .last_case = -1,
                   .held = arena_new(a, journal_held, HELD_MAX)};
    if (!arena_store_open(&j->held_store, STORE_BYTES)
        || !arena_store_open(&j->unwritten_store, STORE_BYTES)) {
        return fail(j, d, "no address space (see `ulimit -v`)");
    }
    j->held_arena = arena_store_clear(&j->held_store);
    j->unwritten_arena = arena_store_clear(&j->unwritten_store);
    j->unwritten = buf_new(&j->unwritten_arena);
    return true;
}

bool journal_open(journal *j,
                  arena *a,
                  str path,
                  str header,
                  journal_reader reader,
                  diag *d)
{
    if (!journal_init(j, a, path, reader, d)) {
        return false;
    }
    if (!find_place(j)) {
        return fail(j, d, "cannot write");
    }
    j->fd = j->target
                ? open(j->target, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                : open_unnamed();
    if (j->fd < 0 || !file_write_all(j->fd, header)) {
        return fail(
            j, d, j->target ? "cannot write" : "cannot write a temporary file");
    }
    j->header_size = header.len;
    j->size = header.len;
    return true;
}

bool journal_reopen(journal *j,
                    arena *a,
                    str path,
                    const journal_past *past,
                    journal_reader reader,
                    diag *d)
{
    if (!journal_init(j, a, path, reader, d)) {
        return false;
    }
    j->target = file_target(a, j->path);
    j->fd = open(j->target, O_RDWR | O_CLOEXEC);
    // The head alone may lack the end of its line; it is whole all the same.
    if (j->fd < 0 || ftruncate(j->fd, past->size - 1) != 0
        || lseek(j->fd, 0, SEEK_END) < 0 || !file_write_all(j->fd, S("\n"))) {
        return fail(j, d, "cannot write");
    }
    j->header_size = past->header_size;
    j->size = past->size;
    for (ptrdiff_t i = 0; i < past->n_entries; i++) {
        *vec_push(a, &j->entries) = past->entries[i];
    }
    // What is not kept goes when the lines are put in order.
    j->is_ordered = past->n_entries == 0 && !past->has_rest;
    return true;
}

static void show_lines(const journal *j, str lines)
{
    while (j->reader.line && lines.len > 0) {
        ptrdiff_t end = str_find(lines, S("\n"), 0);
        end = end < 0 ? lines.len : end + 1;
        j->reader.line(j->reader.context, str_sub(lines, 0, end));
        lines = str_skip(lines, end);
    }
}

static bool flush(journal *j, diag *d)
{
    assert(j->fd >= 0);  // it is open until journal_close()
    bool ok = file_write_all(j->fd, buf_str(&j->unwritten));
    j->unwritten_arena = arena_store_clear(&j->unwritten_store);
    j->unwritten = buf_new(&j->unwritten_arena);
    return ok || fail(j, d, "cannot write");
}

static bool write_case(journal *j, const journal_held *h, diag *d)
{
    buf_add(&j->unwritten, h->lines);
    *vec_push(j->a, &j->entries) =
        (journal_entry){.offset = j->size,
                        .size = (int32_t)h->lines.len,
                        .case_no = h->case_no};
    j->size += h->lines.len;
    j->is_ordered = j->is_ordered && h->case_no > j->last_case;
    j->last_case = h->case_no;
    show_lines(j, h->lines);
    return j->unwritten.len < UNWRITTEN_MOST_BYTES || flush(j, d);
}

// Writes held answers from the front: all of them, or those that nothing is
// missing before.
static bool release(journal *j, bool all, diag *d)
{
    while (j->held_first < j->held_end
           && (all || j->held[j->held_first].rank <= j->next_rank)) {
        const journal_held *h = &j->held[j->held_first++];
        if (!write_case(j, h, d)) {
            return false;
        }
        j->next_rank = h->rank < j->next_rank ? j->next_rank : h->rank + 1;
    }
    if (j->held_first == j->held_end) {
        j->held_first = 0;
        j->held_end = 0;
        j->held_arena = arena_store_clear(&j->held_store);
    }
    return true;
}

// Puts an answer among the held ones, by rank.
static void hold(journal *j, journal_held h)
{
    if (j->held_end == HELD_MAX) {
        j->held_end -= j->held_first;
        memmove(j->held, j->held + j->held_first,
                (size_t)j->held_end * sizeof *j->held);
        j->held_first = 0;
    }
    if (j->held_first == j->held_end) {
        j->held_since_ns = clock_ns();
    }
    h.lines = arena_str(&j->held_arena, h.lines);
    ptrdiff_t at = j->held_end++;
    while (at > j->held_first && j->held[at - 1].rank > h.rank) {
        j->held[at] = j->held[at - 1];
        at--;
    }
    j->held[at] = h;
}

bool journal_add(journal *j,
                 int32_t case_no,
                 ptrdiff_t rank,
                 str lines,
                 diag *d)
{
    assert(rank >= 0 && case_no >= 0);
    journal_held h = {rank, case_no, lines};
    if (j->held_first == j->held_end && rank == j->next_rank) {
        j->next_rank++;
        return write_case(j, &h, d);
    }
    hold(j, h);
    ptrdiff_t bytes = j->held_arena.next - j->held_store.base;
    bool is_full =
        j->held_end - j->held_first == HELD_MAX || bytes > HELD_MOST_BYTES;
    return release(j, is_full, d);
}

bool journal_settle(journal *j, diag *d)
{
    bool is_late = j->held_first < j->held_end
                   && clock_ns() - j->held_since_ns > HELD_MOST_NS;
    return (!is_late || release(j, true, d)) && flush(j, d);
}

ORDER(by_case, journal_entry, ORDER_UP(case_no))

// Tells the system, now and then, that what was read of the file is not needed
// any more: the journal of a million cases is not to sit in memory.
static void forget(const file_map *f, ptrdiff_t i)
{
    enum {
        OFTEN = 1 << 13
    };
    if (i % OFTEN == 0) {
        file_forget(f, f->bytes.len);
    }
}

// Whole lines; what files gave commands no terminal.
static bool put_lines(int to, str lines, arena scratch)
{
    return file_write_all(to,
                          isatty(to) ? utf8_harmless(&scratch, lines) : lines);
}

// Writes header and cases in order to `to`.
static bool copy_ordered(const journal *j,
                         const file_map *f,
                         int to,
                         arena scratch)
{
    str bytes = f->bytes;
    bool ok = put_lines(to, str_sub(bytes, 0, j->header_size), scratch);
    for (ptrdiff_t i = 0; ok && i < j->entries.len;) {
        // Cases that already lie one after the other go in one piece.
        const journal_entry *first = &j->entries.ptr[i];
        int64_t end = first->offset;
        while (i < j->entries.len && j->entries.ptr[i].offset == end
               && end - first->offset < UNWRITTEN_MOST_BYTES) {
            end += j->entries.ptr[i].size;
            forget(f, i++);
        }
        ok = put_lines(to,
                       str_sub(bytes, (ptrdiff_t)first->offset, (ptrdiff_t)end),
                       scratch);
    }
    return ok;
}

// Replaces the file by one that is in order.
static bool rewrite(journal *j, const file_map *f, diag *d, arena scratch)
{
    const char *part =
        j->target ? arena_printf(&scratch, "%s.part", j->target).ptr : NULL;
    int to = part ? file_create(part) : open_unnamed();
    bool ok = to >= 0 && copy_ordered(j, f, to, scratch);
    ok = ok && dup2(to, j->fd) >= 0;
    ok = to >= 0 && close(to) == 0 && ok;
    ok = ok && (!part || rename(part, j->target) == 0);
    if (!ok && to >= 0 && part) {
        int why = errno;
        unlink(part);
        errno = why;
    }
    return ok || fail(j, d, "cannot put the journal in order");
}

static bool open_lines(const journal *j, file_map *lines, diag *d)
{
    *lines = (file_map){.path = j->target ? j->path : S("journal")};
    return file_map_of(lines, j->fd, d);
}

static bool finish(journal *j, file_map *lines, diag *d, arena scratch)
{
    if (!open_lines(j, lines, d)) {
        return false;
    }
    if (j->entries.len > 0) {
        qsort(j->entries.ptr, (size_t)j->entries.len, sizeof *j->entries.ptr,
              by_case);
    }
    bool ok = j->sink < 0 || copy_ordered(j, lines, j->sink, scratch)
              || fail(j, d, "cannot write");
    if (ok && !j->is_ordered) {
        ok = rewrite(j, lines, d, scratch);
        file_close(lines);
        ok = ok && open_lines(j, lines, d);
    }
    return ok;
}

bool journal_close(journal *j, file_map *lines, diag *d, arena scratch)
{
    bool ok = true;
    *lines = (file_map){0};
    if (j->fd >= 0) {
        ok = release(j, true, d) && flush(j, d) && finish(j, lines, d, scratch);
        close(j->fd);
        j->fd = -1;
    }
    if (j->sink > STDOUT_FILENO) {
        ok = (close(j->sink) == 0 || fail(j, d, "cannot write")) && ok;
        j->sink = -1;
    }
    arena_store_close(&j->held_store);
    arena_store_close(&j->unwritten_store);
    return ok;
}
