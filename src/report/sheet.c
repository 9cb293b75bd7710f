// sheet.c - see sheet.h.
#include "report/sheet.h"

#include <math.h>

grid sheet_grid(const sheet *s, ptrdiff_t n_columns, str heads)
{
    grid g = grid_new(s->a, n_columns);
    grid_heads(&g, heads);
    return g;
}

grid sheet_titled(const sheet *s, ptrdiff_t n_columns, str title)
{
    grid g = grid_new(s->a, n_columns);
    grid_cell(&g, title);
    return g;
}

void sheet_add(const sheet *s, const grid *g)
{
    buf_add(s->out, s->out->len > 0 ? S("\n") : S(""));
    if (s->look->is_markdown) {
        grid_markdown(g, s->out);
        return;
    }
    grid shown = *g;
    shown.has_color = s->look->has_color;
    grid_print(&shown, s->out, s->look->width);
}

void sheet_add_all(const sheet *s, const grid_list *tables)
{
    for (ptrdiff_t i = 0; i < tables->len; i++) {
        sheet_add(s, &tables->ptr[i]);
    }
}

str cell_name(str name)
{
    return name.len > 0 ? name : S("-");
}

str cell_share(arena *a, int64_t part, int64_t whole)
{
    return cell_percent(a, whole > 0 ? (double)part / (double)whole : NAN);
}

str cell_points(arena *a, double share)
{
    return arena_printf(a, "%+.1f", share * 100);
}
