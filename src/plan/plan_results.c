// plan_results.c - see plan_results.h.
#include "plan/plan_results.h"

#include "engine/parquet.h"

static void read_one(engine *e, result_file *f, arena *a, arena scratch)
{
    execution *x = arena_new(a, execution, 1);
    diag why = diag_new(a);
    bool ok = parquet_read(e, f->file.path, x, a, &why, scratch);
    f->rows = ok ? &x->result : NULL;
    f->error = ok ? (str){0} : diag_first(&why);
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
