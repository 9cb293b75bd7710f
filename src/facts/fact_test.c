/*
 * fact_test.c - do rows break a fact?
 *
 * Method      Each kind of fact is one pass over the rows of its table; keys
 *             and what determines what compare rows with those before them,
 *             for databases that are tried have few rows. Of texts only those
 *             count that a query can tell apart: a view of the queries' own
 *             literals (fact_view) says which spellings they compare with.
 *
 * Cost        Called for every database that is tried: linear but for the pairs
 *             of rows of keys, and nothing is allocated.
 */
#include "facts/fact.h"
#include "sql/lex.h"
#include "table/value_key.h"

static str trimmed(str s)
{
    return str_strip(s, " ", " ");
}

static bool has_margin(str s)
{
    return s.len > 0 && (s.ptr[0] == ' ' || s.ptr[s.len - 1] == ' ');
}

// Most pairs are told apart by their lengths or their first letters: the
// distiller asks for millions of them.
bool fact_is_respelled(str a, str b)
{
    if (!has_margin(a) && !has_margin(b)) {
        return a.len == b.len && a.len > 0
               && to_lower(a.ptr[0]) == to_lower(b.ptr[0])
               && str_equal_fold(a, b) && !str_equal(a, b);
    }
    return !str_equal(a, b) && str_equal_fold(trimmed(a), trimmed(b));
}

// Texts that are one but for their spelling have one number. Few letters are
// looked at: it only has to tell most others apart.
static unsigned sieve_place(str text)
{
    text = trimmed(text);
    unsigned sum = (unsigned)text.len;
    for (ptrdiff_t i = 0; i < 3 && text.len > 0; i++) {
        char letter = text.ptr[i * (text.len - 1) / 2];
        sum = sum * 31 + (unsigned char)to_lower(letter);
    }
    return sum % (64 * FACT_SIEVE_WORDS);
}

void fact_sieve_add(fact_sieve *s, str text)
{
    unsigned place = sieve_place(text);
    s->bits[place / 64] |= (uint64_t)1 << place % 64;
}

bool fact_sieve_holds(const fact_sieve *s, str text)
{
    unsigned place = sieve_place(text);
    return (s->bits[place / 64] >> place % 64 & 1) != 0;
}

void fact_texts_add(fact_texts *t, arena *a, str text)
{
    fact_sieve_add(&t->sieve, text);
    *vec_push(a, &t->list) = text;
}

unsigned fact_texts_spell(const fact_texts *t, str text)
{
    unsigned how = 0;
    ptrdiff_t n = fact_sieve_holds(&t->sieve, text) ? t->list.len : 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        how |= str_equal(text, t->list.ptr[i])           ? SPELLED_SO
               : fact_is_respelled(text, t->list.ptr[i]) ? SPELLED_OTHERWISE
                                                         : 0;
    }
    return how;
}

static bool matches(str text, str pattern)
{
    for (ptrdiff_t i = 0; i < pattern.len;) {
        if (pattern.ptr[i] == '*') {
            return true;  // at the end of ours only
        }
        if (text.len == 0) {
            return false;
        }
        if (pattern.ptr[i] == '[') {
            bool fits = text.ptr[0] >= pattern.ptr[i + 1]
                        && text.ptr[0] <= pattern.ptr[i + 3];
            if (!fits) {
                return false;
            }
            i += 5;
        } else if (text.ptr[0] != pattern.ptr[i++]) {
            return false;
        }
        text = str_skip(text, 1);
    }
    return text.len == 0;
}

// Digits, at least one, and of the others none but those.
static bool is_made_of(str text, str others)
{
    bool has_digit = false;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        has_digit |= is_digit(text.ptr[i]);
        if (!is_digit(text.ptr[i])
            && str_find(others, str_sub(text, i, i + 1), 0) < 0) {
            return false;
        }
    }
    return has_digit;
}

// Does the text have the format?
static bool fact_has_format(str text, fact_format f)
{
    str pattern = fact_format_pattern(f);
    value time = value_null();
    if (f == FORMAT_DATE || f == FORMAT_TIMESTAMP) {
        return matches(text, pattern) && value_read_time(text, &time)
               && time.kind
                      == (f == FORMAT_DATE ? VALUE_DATE : VALUE_TIMESTAMP);
    }
    return pattern.len > 0
               ? matches(text, pattern)
               : is_made_of(text, f == FORMAT_INTEGER ? S("") : S(".-"));
}

static value cell(const instance *i, const fact *f, ptrdiff_t row)
{
    return instance_at(i, f->table, row, f->columns[0]);
}

static bool is_outside(const fact *f, value v)
{
    return value_is_number(v)
           && (value_to_double(v) < value_to_double(f->values[0])
               || value_to_double(v) > value_to_double(f->values[1]));
}

static bool is_listed(const fact *f, value v)
{
    for (ptrdiff_t i = 0; i < f->n_values; i++) {
        if (value_equal(f->values[i], v)) {
            return true;
        }
    }
    return false;
}

static bool breaks_alone(const fact *f, value v)
{
    if (value_is_null(v)) {
        return f->kind == FACT_NEVER_NULL;
    }
    return f->kind == FACT_RANGE    ? is_outside(f, v)
           : f->kind == FACT_VALUES ? !is_listed(f, v)
           : f->kind == FACT_FORMAT
               ? v.kind != VALUE_TEXT
                     || !fact_has_format(value_bytes(v), f->format)
               : false;
}

static bool rows_break(const instance *i, const fact *f)
{
    for (ptrdiff_t r = 0; r < i->tables[f->table].n_rows; r++) {
        if (breaks_alone(f, cell(i, f, r))) {
            return true;
        }
    }
    return false;
}

// Does a row before this one spell the text otherwise? If one spells it the
// same, that was asked of it before.
static bool was_respelled(const instance *i,
                          const fact *f,
                          ptrdiff_t row,
                          str text)
{
    for (ptrdiff_t k = row - 1; k >= 0; k--) {
        value other = cell(i, f, k);
        if (other.kind == VALUE_TEXT && str_equal(text, value_bytes(other))) {
            return false;
        }
        if (other.kind == VALUE_TEXT
            && fact_is_respelled(text, value_bytes(other))) {
            return true;
        }
    }
    return false;
}

static bool has_two_spellings(const instance *i,
                              const fact *f,
                              const fact_view *view)
{
    fact_sieve seen = {{0}};
    for (ptrdiff_t r = 0; r < i->tables[f->table].n_rows; r++) {
        value v = cell(i, f, r);
        if (v.kind != VALUE_TEXT) {
            continue;
        }
        str text = value_bytes(v);
        if ((fact_sieve_holds(&seen, text) && was_respelled(i, f, r, text))
            || fact_texts_spell(&view->texts, text) == SPELLED_OTHERWISE) {
            return true;
        }
        fact_sieve_add(&seen, text);
    }
    return false;
}

static bool repeats(const instance *i, const fact *f)
{
    for (ptrdiff_t r = 1; r < i->tables[f->table].n_rows; r++) {
        for (ptrdiff_t k = 0; k < r; k++) {
            if (instance_agrees(i, f->table, f->columns, f->n_columns, r, k)
                && (f->kind == FACT_UNIQUE
                    || !instance_agrees(i, f->table, f->targets, f->n_targets,
                                        r, k))) {
                return true;
            }
        }
    }
    return false;
}

static bool has_orphan(const instance *i, const fact *f)
{
    return instance_has_orphan(i, &(schema_key){.child = f->table,
                                                .parent = f->parent,
                                                .columns = f->columns,
                                                .targets = f->targets,
                                                .n = f->n_columns});
}

static bool is_read(const fact_view *view,
                    int32_t t,
                    const int32_t *columns,
                    ptrdiff_t n)
{
    bool read = !view->tables || view->tables[t];
    for (ptrdiff_t c = 0; read && view->columns && c < n; c++) {
        read = view->columns[t][columns[c]];
    }
    return read;
}

bool fact_is_read(const fact *f, const fact_view *view)
{
    return is_read(view, f->table, f->columns, f->n_columns)
           && is_read(view, f->parent, f->targets, f->n_targets);
}

// Is a foreign key held by too few rows to be demanded?
static bool is_loose(const fact *f)
{
    return f->kind == FACT_FOREIGN_KEY
           && f->broken * 100 > f->rows * (100 - FACT_FOREIGN_SHARE);
}

bool fact_is_broken(const instance *i, const fact *f, const fact_view *view)
{
    if (!(view->kinds & 1u << f->kind) || is_loose(f)
        || !fact_is_read(f, view)) {
        return false;
    }
    switch (f->kind) {
    case FACT_NOT_EMPTY: return i->tables[f->table].n_rows == 0;
    case FACT_NEVER_NULL:
    case FACT_RANGE:
    case FACT_VALUES:
    case FACT_FORMAT: return rows_break(i, f);
    case FACT_ONE_SPELLING: return has_two_spellings(i, f, view);
    case FACT_UNIQUE:
    case FACT_DETERMINES: return repeats(i, f);
    case FACT_FOREIGN_KEY: return has_orphan(i, f);
    case FACT_KIND_COUNT: break;
    }
    return false;
}

bool facts_are_broken(const instance *i, const facts *f, const fact_view *view)
{
    for (ptrdiff_t k = 0; k < f->list.len; k++) {
        if (fact_is_broken(i, &f->list.ptr[k], view)) {
            return true;
        }
    }
    return false;
}

fact_view fact_view_of(const str_list *texts)
{
    fact_view view = {.texts.list = *texts, .kinds = FACTS_ALL};
    for (ptrdiff_t i = 0; i < texts->len; i++) {
        fact_sieve_add(&view.texts.sieve, texts->ptr[i]);
    }
    return view;
}
