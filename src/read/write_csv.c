/*
 * write_csv.c - CSV with our own column names, and with Defog's.
 *
 * Method      One table of columns, each with its name in either format. A
 *             column is left out of all rows when no record can have a value
 *             for it. A cell is quoted when it holds a comma, a quote or a line
 *             break, or begins or ends with white space, which some readers
 *             would trim.
 */
#include "read/field.h"
#include "read/writer.h"

typedef struct csv_column {
    field_kind kind;
    const char *ours;
    const char *defog;  // NULL: Defog has no such column
} csv_column;

static const csv_column columns[] = {
    {FIELD_ID, "id", NULL},
    {FIELD_DB, "db", "db_name"},
    {FIELD_QUESTION, "question", "question"},
    {FIELD_GOLD, "gold", "query"},
    {FIELD_PRED, "pred", "generated_query"},
    {FIELD_CATEGORY, "category", "query_category"},
    {FIELD_HARDNESS, "hardness", NULL},
    {FIELD_EVIDENCE, "evidence", "instructions"},
    {FIELD_INTERACTION, "interaction", NULL},
    {FIELD_TURN, "turn", NULL},
};

static const char *column_name(const writing *w, const csv_column *c)
{
    switch ((int)c->kind) {
    case FIELD_ID:
        if (!w->has_ids) {
            return NULL;
        }
        break;
    case FIELD_GOLD:
        if (w->side == WRITER_PRED) {
            return NULL;
        }
        break;
    case FIELD_PRED:
        if (w->side == WRITER_GOLD) {
            return NULL;
        }
        break;
    case FIELD_INTERACTION:
    case FIELD_TURN:
        if (!w->has_sessions) {
            return NULL;
        }
        break;
    default: break;
    }
    return w->format == FORMAT_DEFOG_CSV ? c->defog : c->ours;
}

static str cell_of(writing *w, const record *r, field_kind kind)
{
    switch ((int)kind) {
    case FIELD_ID: return r->id;
    case FIELD_DB: return r->db;
    case FIELD_QUESTION: return r->question;
    case FIELD_GOLD: return writer_golds(w, r);
    case FIELD_PRED: return writer_pred(w, r);
    case FIELD_CATEGORY: return r->category;
    case FIELD_HARDNESS: return r->hardness;
    case FIELD_EVIDENCE: return r->evidence;
    case FIELD_INTERACTION:
        return arena_printf(&w->scratch, "%td", r->interaction);
    case FIELD_TURN: return arena_printf(&w->scratch, "%td", r->turn);
    default: return (str){0};
    }
}

static bool needs_quotes(str cell)
{
    for (ptrdiff_t i = 0; i < cell.len; i++) {
        char c = cell.ptr[i];
        if (c == ',' || c == '"' || c == '\n' || c == '\r') {
            return true;
        }
    }
    return cell.len > 0
           && (is_space(cell.ptr[0]) || is_space(cell.ptr[cell.len - 1]));
}

static void add_cell(buf *out, str cell)
{
    if (!needs_quotes(cell)) {
        buf_add(out, cell);
        return;
    }
    buf_char(out, '"');
    for (ptrdiff_t i = 0; i < cell.len; i++) {
        buf_add(out, cell.ptr[i] == '"' ? S("\"\"") : str_sub(cell, i, i + 1));
    }
    buf_char(out, '"');
}

static void csv_begin(writing *w, buf *out)
{
    for (ptrdiff_t i = 0; i < countof(columns); i++) {
        const char *name = column_name(w, &columns[i]);
        if (name) {
            buf_add(out, out->len > 0 ? S(",") : S(""));
            buf_add(out, str_from(name));
        }
    }
    buf_char(out, '\n');
}

static void csv_write(writing *w, const record *r, buf *out)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < countof(columns); i++) {
        if (column_name(w, &columns[i])) {
            buf_add(out, n++ > 0 ? S(",") : S(""));
            add_cell(out, cell_of(w, r, columns[i].kind));
        }
    }
    buf_char(out, '\n');
}

static void csv_end(writing *w, buf *out)
{
    (void)w;
    (void)out;
}

static bool csv_holds(const writing *w, field_kind kind)
{
    for (ptrdiff_t i = 0; i < countof(columns); i++) {
        if (columns[i].kind == kind) {
            return column_name(w, &columns[i]) != NULL;
        }
    }
    return false;
}

const writer writer_csv = {csv_begin, csv_write, csv_end, csv_holds};
