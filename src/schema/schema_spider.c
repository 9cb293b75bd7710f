/*
 * schema_spider.c - see schema_spider.h.
 *
 * Method      Columns stand in one list for all tables, as [table, name], the
 *             first being [-1, "*"]; foreign keys are pairs of places in it.
 *             The names that count are the *_original ones.
 */
#include "schema/schema_spider.h"

static const json *at(const json *array, ptrdiff_t i)
{
    const json *m =
        array && array->kind == JSON_KIND_ARRAY ? array->child : NULL;
    while (m && i-- > 0) {
        m = m->next;
    }
    return m;
}

// One column of the file's list.
typedef struct listed {
    int64_t table;
    str name;
} listed;

static listed *list_columns(const json *columns, arena *a)
{
    listed *out = arena_new(a, listed, columns->n);
    ptrdiff_t i = 0;
    for (const json *c = columns->child; c; c = c->next, i++) {
        const json *table = at(c, 0);
        const json *name = at(c, 1);
        out[i].table = table && table->kind == JSON_KIND_INT ? table->i : -1;
        out[i].name =
            name && name->kind == JSON_KIND_STRING ? name->text : (str){0};
    }
    return out;
}

static void read_tables(schema *s,
                        arena *a,
                        const json *names,
                        const listed *columns,
                        ptrdiff_t n_columns)
{
    schema_table *tables = arena_new(a, schema_table, names->n);
    ptrdiff_t t = 0;
    for (const json *name = names->child; name; name = name->next, t++) {
        str *own = arena_new(a, str, n_columns);
        ptrdiff_t n = 0;
        for (ptrdiff_t c = 0; c < n_columns; c++) {
            if (columns[c].table == t) {
                own[n++] = arena_str(a, columns[c].name);
            }
        }
        tables[t] = (schema_table){arena_str(a, name->text), own, n};
    }
    s->tables = tables;
    s->n_tables = names->n;
}

// The column at place `i` of the file's list; false when there is none.
static bool key_end(const schema *s,
                    const json *place,
                    const listed *columns,
                    ptrdiff_t n,
                    str *table,
                    str *column)
{
    if (!place || place->kind != JSON_KIND_INT || place->i < 0 || place->i >= n
        || columns[place->i].table < 0
        || columns[place->i].table >= s->n_tables) {
        return false;
    }
    *table = s->tables[columns[place->i].table].name;
    *column = columns[place->i].name;
    return true;
}

static void read_keys(schema *s,
                      arena *a,
                      const json *pairs,
                      const listed *columns,
                      ptrdiff_t n_columns)
{
    schema_key *keys = arena_new(a, schema_key, pairs ? pairs->n : 0);
    for (const json *p = pairs ? pairs->child : NULL; p; p = p->next) {
        schema_key k = {.child_table = {0}};
        if (key_end(s, at(p, 0), columns, n_columns, &k.child_table,
                    &k.child_column)
            && key_end(s, at(p, 1), columns, n_columns, &k.parent_table,
                       &k.parent_column)) {
            k.child_column = arena_str(a, k.child_column);
            k.parent_column = arena_str(a, k.parent_column);
            keys[s->n_keys++] = k;
        }
    }
    s->keys = keys;
}

static bool is_array(const json *j)
{
    return j && j->kind == JSON_KIND_ARRAY;
}

static bool read_one(schema_list *list,
                     arena *a,
                     const json *entry,
                     arena scratch)
{
    str name = json_get_text(entry, S("db_id"));
    const json *tables = json_get(entry, S("table_names_original"));
    const json *columns = json_get(entry, S("column_names_original"));
    if (name.len == 0 || !is_array(tables) || !is_array(columns)) {
        return false;
    }
    listed *all = list_columns(columns, &scratch);
    schema s = {0};
    read_tables(&s, a, tables, all, columns->n);
    read_keys(&s, a, json_get(entry, S("foreign_keys")), all, columns->n);
    if (map_find(&list->names, name) < 0) {
        map_add(&list->names, a, name);
        *vec_push(a, &list->schemas) = s;
    }
    return true;
}

bool schema_list_read(schema_list *list,
                      arena *a,
                      str file,
                      str text,
                      diag *d,
                      arena scratch)
{
    *list = (schema_list){0};
    json_error error = {0};
    const json *root = json_parse(&scratch, text, &error);
    if (!root) {
        return diag_add(d, diag_locate(file, text, error.offset), "%s",
                        error.message);
    }
    const json *entry = is_array(root) ? root->child : NULL;
    for (; entry; entry = entry->next) {
        if (!read_one(list, a, entry, scratch)) {
            list->schemas.len = 0;
            break;
        }
    }
    if (list->schemas.len == 0) {
        return diag_add(d, (diag_place){.file = file},
                        "not a Spider tables.json: expected an array of "
                        "objects with db_id, table_names_original and "
                        "column_names_original");
    }
    return true;
}

const schema *schema_list_find(const schema_list *list, str db)
{
    ptrdiff_t id = map_find(&list->names, db);
    return id >= 0 ? &list->schemas.ptr[id] : NULL;
}
