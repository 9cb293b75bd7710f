/*
 * duckdb_value.c - one cell of a DuckDB vector as a value.
 *
 * Method      The logical type of the vector decides how its bytes are read.
 *             Numbers stay exact: integers of more than 64 bits and DECIMAL
 *             become decimals. What is made of other values (lists, structs,
 *             maps) and what assay has no kind for (intervals, times of day)
 *             becomes text of kind OTHER.
 *
 * Invariant   Equal values give equal texts.
 *
 * Cost        Linear in the value; NEST_MAX levels of lists are written out.
 */
#include "engine/engine_duckdb.h"
#include "table/value_decimal.h"
#include "table/value_interval.h"

#include <assert.h>
#include <string.h>

enum {
    NEST_MAX = 16  // levels of lists in lists that are written out
};

// Both compilers have it; C17 does not.
__extension__ typedef unsigned __int128 wide;

typedef struct cell_reader {
    const duckdb_api *api;
    bool *is_unknown;
    arena *a;
} cell_reader;

static bool is_valid(const uint64_t *validity, uint64_t row)
{
    return !validity || (validity[row / 64] >> (row % 64) & 1);
}

static str string_at(const void *data, uint64_t row)
{
    const duck_string *s = (const duck_string *)data + row;
    return (str){s->length <= 12 ? s->here.bytes : s->there.bytes,
                 (ptrdiff_t)s->length};
}

// The number of row `row` in a vector of integers; false when it needs more
// than 64 bits.
static bool int_at(int type, const void *data, uint64_t row, int64_t *out)
{
    switch (type) {
    case DUCK_BOOLEAN:
    case DUCK_UTINYINT: *out = ((const uint8_t *)data)[row]; return true;
    case DUCK_TINYINT: *out = (int)((const int8_t *)data)[row]; return true;
    case DUCK_SMALLINT: *out = ((const int16_t *)data)[row]; return true;
    case DUCK_USMALLINT: *out = ((const uint16_t *)data)[row]; return true;
    case DUCK_INTEGER: *out = ((const int32_t *)data)[row]; return true;
    case DUCK_UINTEGER: *out = ((const uint32_t *)data)[row]; return true;
    case DUCK_UBIGINT:
    case DUCK_BIGINT: memcpy(out, (const int64_t *)data + row, 8); break;
    default: {
        duck_huge h = ((const duck_huge *)data)[row];
        memcpy(out, &h.low, 8);
        return h.high == (*out < 0 ? -1 : 0) && type != DUCK_UHUGEINT;
    }
    }
    return type != DUCK_UBIGINT || *out >= 0;
}

// A number of up to 128 bits with `scale` digits after the point; -1: it is an
// integer.
static value exact_at(cell_reader *r,
                      int type,
                      const void *data,
                      uint64_t row,
                      int scale)
{
    assert(scale <= 38);
    int64_t small = 0;
    bool is_small = int_at(type, data, row, &small);
    if (is_small && scale < 0) {
        return value_int(small);
    }
    duck_huge h = is_small ? (duck_huge){(uint64_t)small, small < 0 ? -1 : 0}
                  : type == DUCK_UBIGINT ? (duck_huge){(uint64_t)small, 0}
                                         : ((const duck_huge *)data)[row];
    bool negative = h.high < 0 && type != DUCK_UHUGEINT;
    wide n = (wide)(uint64_t)h.high << 64 | h.low;
    n = negative ? -n : n;
    char text[64];
    ptrdiff_t at = countof(text);
    for (int i = 0; n > 0 || i <= scale; i++) {
        if (i == scale && scale > 0) {
            text[--at] = '.';
        }
        text[--at] = (char)('0' + (int)(n % 10));
        n /= 10;
    }
    if (negative) {
        text[--at] = '-';
    }
    return value_decimal((str){text + at, countof(text) - at}, r->a);
}

// Moments further away than this are the library's way to write infinity.
static value moment(int64_t n, int64_t unit_us, value_kind kind)
{
    assert(unit_us > 0);
    static const int64_t LAST_US = INT64_MAX - 1;
    if (n > LAST_US / unit_us || n < -LAST_US / unit_us) {
        return value_of_bytes(VALUE_OTHER,
                              n > 0 ? S("infinity") : S("-infinity"));
    }
    return (value){.i = n * unit_us, .kind = (uint8_t)kind};
}

static value uuid_at(cell_reader *r, const void *data, uint64_t row)
{
    duck_huge h = ((const duck_huge *)data)[row];
    uint64_t high = (uint64_t)h.high ^ (uint64_t)1 << 63;  // kept sortable
    return value_text(arena_printf(
        r->a, "%08llx-%04llx-%04llx-%04llx-%012llx",
        (unsigned long long)(high >> 32),
        (unsigned long long)(high >> 16 & 0xffff),
        (unsigned long long)(high & 0xffff), (unsigned long long)(h.low >> 48),
        (unsigned long long)(h.low & 0xffffffffffff)));
}

static value enum_at(cell_reader *r, void *type, const void *data, uint64_t row)
{
    int64_t place = 0;
    int_at(r->api->enum_internal_type(type), data, row, &place);
    char *word = r->api->enum_dictionary_value(type, (uint64_t)place);
    value v = value_text(arena_str(r->a, str_from(word)));
    r->api->free(word);
    return v;
}

static value time_of_day(cell_reader *r, int64_t us)
{
    str text = arena_printf(r->a, "%02d:%02d:%02d.%06d", (int)(us / 3600000000),
                            (int)(us / 60000000 % 60), (int)(us / 1000000 % 60),
                            (int)(us % 1000000));
    text.len -= us % 1000000 ? 0 : 7;  // no fraction
    return value_of_bytes(VALUE_OTHER, text);
}

static value scalar_at(cell_reader *r,
                       void *type,
                       int id,
                       const void *data,
                       uint64_t row)
{
    switch (id) {
    case DUCK_BOOLEAN:
        return (value){.i = ((const uint8_t *)data)[row] != 0,
                       .kind = VALUE_BOOL};
    case DUCK_FLOAT: return value_single((double)((const float *)data)[row]);
    case DUCK_DOUBLE: return value_real(((const double *)data)[row]);
    case DUCK_VARCHAR: return value_text(arena_str(r->a, string_at(data, row)));
    case DUCK_BLOB: return value_blob(arena_str(r->a, string_at(data, row)));
    case DUCK_DECIMAL:
        return exact_at(r, r->api->decimal_internal_type(type), data, row,
                        r->api->decimal_scale(type));
    case DUCK_DATE: {
        int32_t days = ((const int32_t *)data)[row];
        return days == INT32_MAX || days == -INT32_MAX
                   ? value_of_bytes(VALUE_OTHER,
                                    days > 0 ? S("infinity") : S("-infinity"))
                   : (value){.i = days, .kind = VALUE_DATE};
    }
    case DUCK_TIMESTAMP_S:
        return moment(((const int64_t *)data)[row], 1000000, VALUE_TIMESTAMP);
    case DUCK_TIMESTAMP_MS:
        return moment(((const int64_t *)data)[row], 1000, VALUE_TIMESTAMP);
    case DUCK_TIMESTAMP_NS:
        return moment(((const int64_t *)data)[row] / 1000, 1, VALUE_TIMESTAMP);
    case DUCK_TIMESTAMP:
        return moment(((const int64_t *)data)[row], 1, VALUE_TIMESTAMP);
    case DUCK_TIMESTAMP_TZ:
        return moment(((const int64_t *)data)[row], 1, VALUE_INSTANT);
    case DUCK_TIME: return time_of_day(r, ((const int64_t *)data)[row]);
    case DUCK_INTERVAL: {
        duck_interval i = ((const duck_interval *)data)[row];
        return value_interval((int64_t)i.months * 30 + i.days, i.us, r->a);
    }
    case DUCK_UUID: return uuid_at(r, data, row);
    case DUCK_ENUM: return enum_at(r, type, data, row);
    default: return exact_at(r, id, data, row, -1);
    }
}

static bool is_scalar(int id)
{
    return (id >= DUCK_BOOLEAN && id <= DUCK_ENUM) || id == DUCK_UUID
           || id == DUCK_TIMESTAMP_TZ || id == DUCK_UHUGEINT;
}

static void write_cell(cell_reader *r,
                       buf *out,
                       void *vector,
                       uint64_t row,
                       int depth);

static void write_items(cell_reader *r,
                        buf *out,
                        void *child,
                        duck_list items,
                        int depth)
{
    buf_char(out, '[');
    for (uint64_t i = 0; i < items.length; i++) {
        buf_add(out, i > 0 ? S(", ") : S(""));
        write_cell(r, out, child, items.offset + i, depth + 1);
    }
    buf_char(out, ']');
}

static void write_members(cell_reader *r,
                          buf *out,
                          void *vector,
                          void *type,
                          uint64_t row,
                          int depth)
{
    uint64_t n = r->api->struct_type_child_count(type);
    buf_char(out, '{');
    for (uint64_t i = 0; i < n; i++) {
        char *name = r->api->struct_type_child_name(type, i);
        buf_printf(out, "%s%s: ", i > 0 ? ", " : "", name);
        r->api->free(name);
        write_cell(r, out, r->api->struct_vector_get_child(vector, i), row,
                   depth + 1);
    }
    buf_char(out, '}');
}

// A value inside a list or struct, as text.
static void write_cell(cell_reader *r,
                       buf *out,
                       void *vector,
                       uint64_t row,
                       int depth)
{
    const duckdb_api *api = r->api;
    void *type = api->vector_get_column_type(vector);
    int id = api->get_type_id(type);
    const void *data = api->vector_get_data(vector);
    if (!is_valid(api->vector_get_validity(vector), row)) {
        buf_add(out, S("NULL"));
    } else if (depth > NEST_MAX) {
        *r->is_unknown = true;
        buf_add(out, S("..."));
    } else if (is_scalar(id)) {
        value v = scalar_at(r, type, id, data, row);
        buf_add(out, value_shown(r->a, v, 0));
    } else if (id == DUCK_LIST || id == DUCK_MAP) {
        write_items(r, out, api->list_vector_get_child(vector),
                    ((const duck_list *)data)[row], depth);
    } else if (id == DUCK_ARRAY) {
        uint64_t n = api->array_type_array_size(type);
        write_items(r, out, api->array_vector_get_child(vector),
                    (duck_list){row * n, n}, depth);
    } else if (id == DUCK_STRUCT) {
        write_members(r, out, vector, type, row, depth);
    } else {
        *r->is_unknown = true;
        buf_printf(out, "?");
    }
    api->destroy_logical_type(&type);
}

value duckdb_cell(const duckdb_api *api,
                  void *vector,
                  void *type,
                  uint64_t row,
                  bool *is_unknown,
                  arena *a)
{
    cell_reader r = {api, is_unknown, a};
    int id = api->get_type_id(type);
    if (!is_valid(api->vector_get_validity(vector), row)) {
        return value_null();
    }
    if (is_scalar(id)) {
        return scalar_at(&r, type, id, api->vector_get_data(vector), row);
    }
    buf out = buf_new(a);
    write_cell(&r, &out, vector, row, 0);
    return value_of_bytes(VALUE_OTHER, buf_str(&out));
}
