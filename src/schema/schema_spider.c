/*
 * schema_spider.c - see schema_spider.h.
 *
 * Method      Columns stand in one list for all tables, as [table, name], the
 *             first being [-1, "*"]; foreign keys are pairs of places in it,
 *             primary keys are places, or lists of places. The names that
 *             count are the *_original ones.
 *
 * Invariants  Places that point nowhere are passed over: the files that people
 *             use have some. Of a database that comes twice the first counts.
 *
 * Cost        Linear in the columns; for each table one scan over the primary
 *             keys of its database.
 */
#include "schema/schema_spider.h"

#include "base/file.h"
#include "base/words.h"
#include "schema/schema_build.h"

#include <assert.h>

static bool is_array(const json *j)
{
    return j && j->kind == JSON_KIND_ARRAY;
}

// One column of the file's list.
typedef struct listed {
    int32_t table;   // -1: of none
    int32_t column;  // of the table
    str name;
    str type;
} listed;

typedef struct listing {
    listed *ptr;
    ptrdiff_t n;
} listing;

// What the words of column_types stand for; any other is text.
static const struct {
    str word;
    str type;
} type_words[] = {
    {S_INIT("number"), S_INIT("NUMERIC")},
    {S_INIT("time"), S_INIT("DATE")},
    {S_INIT("boolean"), S_INIT("BOOLEAN")},
};

static str type_of(const json *word)
{
    bool is_text = word && word->kind == JSON_KIND_STRING;
    ptrdiff_t i = is_text ? words_at(type_words, word, word->text) : -1;
    return i >= 0 ? type_words[i].type : word ? S("TEXT") : (str){0};
}

static listing list_columns(const json *columns,
                            const json *types,
                            ptrdiff_t n_tables,
                            arena *a)
{
    listing out = {arena_new(a, listed, columns->n), columns->n};
    int32_t *counts = arena_new(a, int32_t, n_tables);
    const json *type = is_array(types) ? types->child : NULL;
    listed *to = out.ptr;
    for (const json *c = columns->child; c; c = c->next, to++) {
        const json *table = json_at(c, 0);
        const json *name = json_at(c, 1);
        bool is_column = table && table->kind == JSON_KIND_INT && table->i >= 0
                         && table->i < n_tables;
        to->table = is_column ? (int32_t)table->i : -1;
        to->column = is_column ? counts[to->table]++ : -1;
        to->name =
            name && name->kind == JSON_KIND_STRING ? name->text : (str){0};
        to->type = type_of(type);
        type = type ? type->next : NULL;
    }
    return out;
}

// The column at a place of the file's list; NULL when there is none.
static const listed *column_at(const listing *columns, const json *place)
{
    bool is_there = place && place->kind == JSON_KIND_INT && place->i >= 0
                    && place->i < columns->n
                    && columns->ptr[place->i].table >= 0;
    return is_there ? &columns->ptr[place->i] : NULL;
}

typedef vec_of(int32_t) place_list;

static void add_primary(place_list *key,
                        arena *a,
                        const listing *columns,
                        const json *place,
                        ptrdiff_t table)
{
    assert(table >= 0);
    const listed *c = column_at(columns, place);
    if (c && c->table == table) {
        *vec_push(a, key) = c->column;
    }
}

// The primary key of a table: all places that are columns of it.
static void read_primary(schema_table *t,
                         arena *a,
                         const json *places,
                         const listing *columns,
                         ptrdiff_t table)
{
    place_list key = {0};
    for (const json *p = is_array(places) ? places->child : NULL; p;
         p = p->next) {
        add_primary(&key, a, columns, p, table);
        for (const json *q = is_array(p) ? p->child : NULL; q; q = q->next) {
            add_primary(&key, a, columns, q, table);
        }
    }
    if (key.len > 0) {
        schema_unique *unique = arena_new(a, schema_unique, 1);
        *unique = (schema_unique){key.ptr, key.len, true, NULL};
        t->uniques = unique;
        t->n_uniques = 1;
    }
}

// Gives each table its part of one array of columns.
static void share_columns(schema_table *tables,
                          arena *a,
                          ptrdiff_t n_tables,
                          const listing *columns)
{
    schema_column *all = arena_new(a, schema_column, columns->n);
    schema_column **of_table = arena_new(a, schema_column *, n_tables);
    for (ptrdiff_t c = 0; c < columns->n; c++) {
        if (columns->ptr[c].table >= 0) {
            tables[columns->ptr[c].table].n_columns++;
        }
    }
    for (ptrdiff_t t = 0; t < n_tables; t++) {
        of_table[t] = all;
        tables[t].columns = all;
        all += tables[t].n_columns;
    }
    for (ptrdiff_t c = 0; c < columns->n; c++) {
        const listed *from = &columns->ptr[c];
        if (from->table >= 0) {
            of_table[from->table][from->column] =
                schema_column_of(arena_str(a, from->name), from->type);
        }
    }
}

static void read_tables(schema *s,
                        arena *a,
                        const json *names,
                        const json *primary,
                        const listing *columns)
{
    assert(names->kind == JSON_KIND_ARRAY);
    schema_table *tables = arena_new(a, schema_table, names->n);
    share_columns(tables, a, names->n, columns);
    ptrdiff_t t = 0;
    for (const json *name = names->child; name; name = name->next, t++) {
        tables[t].name = arena_str(a, name->text);
        tables[t].has_rowid = true;
        schema_index(&tables[t], a);
        read_primary(&tables[t], a, primary, columns, t);
    }
    assert(t == names->n);
    s->tables = tables;
    s->n_tables = names->n;
}

// Pairs of columns; the file has no keys of several columns.
static void read_keys(schema *s,
                      arena *a,
                      const json *pairs,
                      const listing *columns,
                      arena scratch)
{
    key_draft *drafts = arena_new(&scratch, key_draft, pairs ? pairs->n : 0);
    ptrdiff_t n = 0;
    for (const json *p = pairs ? pairs->child : NULL; p; p = p->next) {
        const listed *child = column_at(columns, json_at(p, 0));
        const listed *parent = column_at(columns, json_at(p, 1));
        if (child && parent) {
            int32_t *column = arena_new(a, int32_t, 1);
            *column = child->column;
            drafts[n++] = (key_draft){child->table,
                                      column,
                                      &parent->name,
                                      1,
                                      s->tables[parent->table].name,
                                      false};
        }
    }
    schema_set_keys(s, a, drafts, n);
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
    listing all = list_columns(columns, json_get(entry, S("column_types")),
                               tables->n, &scratch);
    schema s = {0};
    read_tables(&s, a, tables, json_get(entry, S("primary_keys")), &all);
    read_keys(&s, a, json_get(entry, S("foreign_keys")), &all, scratch);
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

bool schema_list_open(schema_list *list,
                      arena *a,
                      str path,
                      diag *d,
                      arena scratch)
{
    file_map file;
    if (!file_open(&file, a, path, d)) {
        return false;
    }
    bool ok = schema_list_read(list, a, path, file.bytes, d, scratch);
    file_close(&file);
    return ok;
}

const schema *schema_list_find(const schema_list *list, str db)
{
    ptrdiff_t id = map_find(&list->names, db);
    return id >= 0 ? &list->schemas.ptr[id] : NULL;
}
