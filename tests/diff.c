/*
 * diff.c - a unified diff of two short texts.
 *
 * Method      Equal lines at both ends are set aside. What is left goes through
 *             the table of longest common subsequences; when that table would
 *             be larger than MAX_CELLS, all of it counts as replaced. The edit
 *             script is a list of steps: keep, remove, add.
 *
 * Cost        Lines of one text times lines of the other.
 */
#include "diff.h"

enum {
    CONTEXT = 3,
    MAX_CELLS = 16 << 20
};

typedef enum diff_mark {
    DIFF_KEEP = ' ',
    DIFF_REMOVE = '-',
    DIFF_ADD = '+',
} diff_mark;

typedef struct diff_step {
    diff_mark mark;
    str line;
} diff_step;

typedef vec_of(diff_step) step_list;

static str_list split_lines(arena *a, str text)
{
    str_list lines = {.ptr = arena_new(a, str, 8), .cap = 8};
    while (text.len > 0) {
        str line = str_cut(&text, '\n');
        *vec_push(a, &lines) = line;
    }
    return lines;
}

static void add_steps(arena *a,
                      step_list *steps,
                      diff_mark mark,
                      const str *lines,
                      ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        diff_step *s = vec_push(a, steps);
        *s = (diff_step){mark, lines[i]};
    }
}

// The steps for the middle parts, whose first and last lines differ.
static void diff_middle(arena *a, step_list *steps, str_list x, str_list y)
{
    if (x.len == 0 || y.len == 0 || x.len + 1 > MAX_CELLS / (y.len + 1)) {
        add_steps(a, steps, DIFF_REMOVE, x.ptr, x.len);
        add_steps(a, steps, DIFF_ADD, y.ptr, y.len);
        return;
    }
    // common[i * width + j]: lines common to x from i on and y from j on.
    ptrdiff_t width = y.len + 1;
    int32_t *common = arena_new(a, int32_t, (x.len + 1) * width);
    for (ptrdiff_t i = x.len - 1; i >= 0; i--) {
        for (ptrdiff_t j = y.len - 1; j >= 0; j--) {
            int32_t down = common[(i + 1) * width + j];
            int32_t right = common[i * width + j + 1];
            common[i * width + j] = str_equal(x.ptr[i], y.ptr[j])
                                        ? common[(i + 1) * width + j + 1] + 1
                                    : down > right ? down
                                                   : right;
        }
    }
    ptrdiff_t i = 0;
    ptrdiff_t j = 0;
    while (i < x.len || j < y.len) {
        if (i < x.len && j < y.len && str_equal(x.ptr[i], y.ptr[j])) {
            add_steps(a, steps, DIFF_KEEP, &x.ptr[i], 1);
            i++;
            j++;
        } else if (j == y.len
                   || (i < x.len
                       && common[(i + 1) * width + j]
                              >= common[i * width + j + 1])) {
            add_steps(a, steps, DIFF_REMOVE, &x.ptr[i++], 1);
        } else {
            add_steps(a, steps, DIFF_ADD, &y.ptr[j++], 1);
        }
    }
}

static step_list diff_steps(arena *a, str_list x, str_list y)
{
    step_list steps = {0};
    ptrdiff_t n = x.len < y.len ? x.len : y.len;
    ptrdiff_t head = 0;
    while (head < n && str_equal(x.ptr[head], y.ptr[head])) {
        head++;
    }
    ptrdiff_t tail = 0;
    while (tail < n - head
           && str_equal(x.ptr[x.len - 1 - tail], y.ptr[y.len - 1 - tail])) {
        tail++;
    }
    add_steps(a, &steps, DIFF_KEEP, x.ptr, head);
    diff_middle(a, &steps, (str_list){x.ptr + head, x.len - head - tail, 0},
                (str_list){y.ptr + head, y.len - head - tail, 0});
    add_steps(a, &steps, DIFF_KEEP, x.ptr + x.len - tail, tail);
    return steps;
}

// Appends steps [from, to) as one hunk that begins at these lines.
static void add_hunk(buf *out,
                     const diff_step *steps,
                     ptrdiff_t n,
                     int64_t want_line,
                     int64_t got_line)
{
    int want = 0;
    int got = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        want += steps[i].mark != DIFF_ADD;
        got += steps[i].mark != DIFF_REMOVE;
    }
    buf_printf(out, "@@ -%lld,%d +%lld,%d @@\n", (long long)want_line, want,
               (long long)got_line, got);
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_char(out, (char)steps[i].mark);
        buf_add(out, steps[i].line);
        buf_char(out, '\n');
    }
}

// True when a change lies within CONTEXT steps of step i.
static bool is_near_change(step_list s, ptrdiff_t i)
{
    for (ptrdiff_t k = i - CONTEXT; k <= i + CONTEXT; k++) {
        if (k >= 0 && k < s.len && s.ptr[k].mark != DIFF_KEEP) {
            return true;
        }
    }
    return false;
}

void diff_add(buf *out, str want, str got, int64_t line, arena scratch)
{
    str_list x = split_lines(&scratch, want);
    str_list y = split_lines(&scratch, got);
    step_list steps = diff_steps(&scratch, x, y);
    int64_t want_line = line;
    int64_t got_line = line;
    for (ptrdiff_t i = 0; i < steps.len;) {
        ptrdiff_t from = i;
        while (i < steps.len && is_near_change(steps, i)) {
            i++;
        }
        if (i > from) {
            add_hunk(out, steps.ptr + from, i - from, want_line, got_line);
        } else {
            i++;
        }
        for (ptrdiff_t k = from; k < i; k++) {
            want_line += steps.ptr[k].mark != DIFF_ADD;
            got_line += steps.ptr[k].mark != DIFF_REMOVE;
        }
    }
}
