// layout.c - see layout.h.
#include "report/layout.h"

#include "base/utf8.h"

enum {
    GAP = 3,  // columns between two blocks
};

void layout_wrapped(buf *out, str text, ptrdiff_t column, ptrdiff_t width)
{
    ptrdiff_t used = column;
    while (text.len > 0) {
        str word = str_cut(&text, ' ');
        ptrdiff_t more = utf8_width(word);
        if (used > column && used + 1 + more > width) {
            buf_char(out, '\n');
            buf_repeat(out, ' ', column);
            used = column;
        } else if (used > column) {
            buf_char(out, ' ');
            used++;
        }
        buf_add(out, word);
        used += more;
    }
    buf_char(out, '\n');
}

void layout_line(layout_block *b, arena *a, str line)
{
    ptrdiff_t width = utf8_width(line);
    *vec_push(a, &b->lines) = line;
    b->width = width > b->width ? width : b->width;
}

ptrdiff_t layout_width(const layout_block *blocks, ptrdiff_t n)
{
    ptrdiff_t width = n > 0 ? (n - 1) * GAP : 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        width += blocks[i].width;
    }
    return width;
}

void layout_beside(buf *out,
                   const layout_block *blocks,
                   ptrdiff_t n,
                   ptrdiff_t column)
{
    bool has_more = true;
    for (ptrdiff_t y = 0; has_more; y++) {
        ptrdiff_t due = column;  // blanks before the next text
        has_more = false;
        for (ptrdiff_t i = 0; i < n; i++) {
            const str_list *lines = &blocks[i].lines;
            str line = y < lines->len ? lines->ptr[y] : (str){0};
            if (line.len > 0) {
                buf_repeat(out, ' ', due);
                buf_add(out, line);
                due = 0;
            }
            due += blocks[i].width - utf8_width(line) + GAP;
            has_more |= y + 1 < lines->len;
        }
        buf_char(out, '\n');
    }
}
