/*
 * plan_results.c - see plan_results.h.
 *
 * Method      The rows become JSON, which has types: what is said of results in
 *             JSON holds for Parquet, too (definitions/results.md#types).
 */
#include "plan/plan_results.h"

#include "base/json.h"
#include "engine/parquet.h"

#include <math.h>

static void add_value(buf *b, value v)
{
    switch ((value_kind)v.kind) {
    case VALUE_NULL: buf_add(b, S("null")); return;
    case VALUE_INT:
    case VALUE_BOOL:
    case VALUE_DECIMAL: value_show(b, v, 0); return;
    case VALUE_REAL:
        if (isfinite(v.real)) {
            json_add_double(b, v.real);
            return;
        }
        break;
    case VALUE_TEXT:
    case VALUE_BLOB:
    case VALUE_OTHER: json_add_text(b, value_bytes(v)); return;
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT: break;
    }
    buf_char(b, '"');
    value_show(b, v, 0);
    buf_char(b, '"');
}

static const json *as_json(const table *t, arena *a, arena scratch)
{
    buf b = buf_new(&scratch);
    buf_add(&b, S("{"));
    json_key(&b, S("columns"));
    json_add_texts(&b, t->names, t->n_columns);
    json_member_open(&b, S("rows"), '[');
    for (ptrdiff_t r = 0; r < t->n_rows; r++) {
        buf_add(&b, r > 0 ? S(",[") : S("["));
        for (ptrdiff_t c = 0; c < t->n_columns; c++) {
            buf_add(&b, c > 0 ? S(",") : S(""));
            add_value(&b, table_at(t, r, c));
        }
        buf_char(&b, ']');
    }
    buf_add(&b, S("]}"));
    json_error error = {0};
    return json_parse(a, arena_str(a, buf_str(&b)), &error);
}

static void read_one(engine *e, result_file *f, arena *a, arena scratch)
{
    execution x = {0};
    diag why = diag_new(a);
    arena rest = arena_half(&scratch);
    bool ok = parquet_read(e, f->file.path, &x, &scratch, &why, rest);
    f->rows = ok ? as_json(&x.result, a, rest) : NULL;
    f->error = ok ? (str){0} : why.messages.ptr[0].text;
}

bool plan_read_parquet(result_files *files, arena *a, diag *d, arena scratch)
{
    const engine_options options = {
        .driver = engine_driver_of(S("duckdb:")),
        .limits = {.max_rows = 1000000, .max_bytes = (int64_t)1 << 30},
    };
    engine *e = NULL;
    for (ptrdiff_t i = 0; i < files->list.len; i++) {
        result_file *f = &files->list.ptr[i];
        if (!f->is_parquet) {
            continue;
        }
        e = e ? e : engine_open(&options, d);
        if (!e) {
            return diag_add(d, (diag_place){.file = f->file.path},
                            "Parquet is read through DuckDB");
        }
        read_one(e, f, a, scratch);
    }
    engine_close(e);
    return true;
}
