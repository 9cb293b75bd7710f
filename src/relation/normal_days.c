/*
 * normal_days.c - equations over days; see normal.h.
 *
 * Method      What counts days is a sum: of days as JULIANDAY counts them, or
 *             of the digits 20200131 of days (MySQL's d + 1), and of a number.
 *             The sides of a comparison are brought together; of two days, one
 *             less the other, there are three forms: both of them alone, one
 *             beside the other and a positive number, or one beside the day of
 *             the calendar that many days from the literal.
 *
 *             Days and digits are never one: they differ where a month ends.
 *             Both give one number for each day, and the later day the larger.
 *
 * Invariant   A day is a DATE under assumption types, YYYY-MM-DD: text without
 *             a time. Numbers are those of whole days, far from overflow, and
 *             REALs of them are exact. NULL stays NULL.
 */
#include "base/clock.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"

enum {
    DAYS_MAX = 400000,  // that are added
    DEPTH_MAX_DAY = 20,
    DAY_SECONDS = 86400,
};

typedef enum day_unit {
    UNIT_NONE,
    UNIT_DAYS,     // as JULIANDAY counts them: from noon, so half of one more
    UNIT_DIGITS,   // CAST(STRFTIME('%Y%m%d', d) AS INTEGER)
    UNIT_SECONDS,  // CAST(STRFTIME('%s', d) AS INTEGER)
} day_unit;

typedef struct day_sum {
    const term *plus;   // a day, or a literal one
    const term *minus;  // likewise; NULL: none
    day_unit unit;
    int64_t halves;  // of the number beside them
} day_sum;

static bool shows_day(prover *p, const term *t, int depth);

static bool outputs_show_day(prover *p,
                             const block *b,
                             int32_t column,
                             int depth)
{
    return b->set ? outputs_show_day(p, b->left, column, depth + 1)
                        && outputs_show_day(p, b->right, column, depth + 1)
                  : shows_day(p, b->select.ptr[column], depth + 1);
}

// A DATE, the first or last of them, the one before or after it.
static bool shows_day(prover *p, const term *t, int depth)
{
    t = term_bare(t);
    if (depth > DEPTH_MAX_DAY) {
        return false;
    }
    if (t->kind == TERM_COLUMN && t->source->body) {
        return t->column >= 0 && term_is_binary(t)
               && outputs_show_day(p, t->source->body, t->column, depth);
    }
    bool is_window = t->kind == TERM_WINDOW;
    const term *call = is_window ? t->args[0] : t;
    const char *names = is_window ? "min max lag lead first_value" : "min max";
    bool has_name = call->kind == TERM_AGGREGATE || call->kind == TERM_CALL;
    bool passes = has_name && str_among(call->text, names)
                  && (call->n == 1
                      || (is_window && call->n == 2
                          && call->args[1]->kind == TERM_INTEGER));
    return passes ? shows_day(p, call->args[0], depth + 1)
                  : t->kind == TERM_COLUMN && term_is_day(p, t);
}

// The day that is counted: d of DATE(d), too; NULL: it is none.
static const term *day_of(prover *p, const term *t)
{
    const term *whole = term_begun(t, 10);
    bool is_call =
        t->kind == TERM_CALL && t->n == 1 && str_equal(t->text, S("date"));
    const term *d = is_call ? t->args[0] : whole ? whole : t;
    bool is_moment = whole && !shows_day(p, d, 0) && term_is_date(p, d);
    return is_moment                                    ? t
           : d->kind == TERM_TEXT || shows_day(p, d, 0) ? term_bare(d)
                                                        : NULL;
}

static bool place(day_sum *s, const term *day, day_unit unit, int sign)
{
    const term **at = sign > 0 ? &s->plus : &s->minus;
    bool fits = day && !*at && (s->unit == UNIT_NONE || s->unit == unit);
    *at = fits ? day : *at;
    s->unit = unit;
    return fits;
}

// The unit of CAST(STRFTIME(format, d) AS INTEGER).
static day_unit unit_of(const term *t)
{
    bool is_format = t->kind == TERM_CALL && t->n == 2
                     && str_equal(t->text, S("strftime"))
                     && t->args[0]->kind == TERM_TEXT;
    return !is_format                                 ? UNIT_NONE
           : str_equal(t->args[0]->text, S("%Y%m%d")) ? UNIT_DIGITS
           : str_equal(t->args[0]->text, S("%s"))     ? UNIT_SECONDS
                                                      : UNIT_NONE;
}

static bool read_number(const term *t, int64_t *halves)
{
    double real = (double)t->number;
    bool is_near = (t->kind == TERM_INTEGER
                    || (t->kind == TERM_REAL && str_to_double(t->text, &real)))
                   && real > -1e7 && real < 1e7;
    *halves = is_near ? (int64_t)(2 * real) : 0;
    return is_near && (double)*halves == 2 * real;
}

static bool read_sum(prover *p, const term *t, int sign, day_sum *s, int depth);

// Of a sum of whole days a CAST to INTEGER is the sum, and so is a number of
// seconds that are days, divided.
static bool read_whole(prover *p,
                       const term *t,
                       day_unit unit,
                       int sign,
                       day_sum *s,
                       int depth)
{
    day_sum in = {0};
    if (!read_sum(p, t, 1, &in, depth + 1) || in.unit != unit) {
        return false;
    }
    int64_t noons = (in.plus != NULL) - (in.minus != NULL);
    bool is_days = unit == UNIT_DAYS;
    bool is_whole = is_days ? (in.halves + noons) % 2 == 0
                            : in.plus && in.minus && in.halves == 0;
    s->halves += sign * in.halves;
    return is_whole && (!in.plus || place(s, in.plus, UNIT_DAYS, sign))
           && (!in.minus || place(s, in.minus, UNIT_DAYS, -sign));
}

static bool read_sum(prover *p, const term *t, int sign, day_sum *s, int depth)
{
    int64_t halves = 0;
    t = term_bare(t);
    if (depth > DEPTH_MAX_DAY) {
        return false;
    }
    switch ((int)t->kind) {
    case TERM_INTEGER:
    case TERM_REAL:
        if (!read_number(t, &halves)) {
            return false;
        }
        s->halves += sign * halves;
        return true;
    case TERM_NEGATE: return read_sum(p, t->args[0], -sign, s, depth + 1);
    case TERM_ADD:
    case TERM_SUBTRACT:
        return read_sum(p, t->args[0], sign, s, depth + 1)
               && read_sum(p, t->args[1], t->kind == TERM_ADD ? sign : -sign, s,
                           depth + 1);
    case TERM_DIVIDE:
        return !t->flag && term_is_number(t->args[1], DAY_SECONDS)
               && read_whole(p, t->args[0], UNIT_SECONDS, sign, s, depth);
    case TERM_CAST: {
        day_unit unit = unit_of(t->args[0]);
        return t->column == AFFINITY_INTEGER
               && (unit ? place(s, day_of(p, t->args[0]->args[1]), unit, sign)
                        : read_whole(p, t->args[0], UNIT_DAYS, sign, s, depth));
    }
    case TERM_CALL:
        return t->n == 1 && str_equal(t->text, S("julianday"))
               && place(s, day_of(p, t->args[0]), UNIT_DAYS, sign);
    default: return false;
    }
}

const term *term_days_later(prover *p, const term *day, int64_t n)
{
    int64_t first = -2208988800000;  // 1900-01-01
    int64_t end = 32503680000000;    // 3000-01-01
    int64_t ms = 0;
    if (day->text.len != 10 || !clock_parse(day->text, &ms) || n < -DAYS_MAX
        || n > DAYS_MAX) {
        return NULL;
    }
    ms += n * 86400000;
    return ms >= first && ms < end
               ? term_text(p, str_sub(clock_format(p->a, ms), 0, 10))
               : NULL;
}

static const term *counted(prover *p, const term *day, day_unit unit)
{
    const term *format = term_text(p, S("%Y%m%d"));
    const term *args[] = {format, day};
    return unit == UNIT_DAYS
               ? term_call(p, S("julianday"), &day, 1)
               : term_cast(p, term_call(p, S("strftime"), args, 2),
                           AFFINITY_INTEGER);
}

static const term *later(prover *p, const term *day, day_unit unit, int64_t n)
{
    return term_arithmetic(p, TERM_ADD, counted(p, day, unit),
                           term_integer(p, n));
}

// plus + n beside minus, where neither is a literal.
static void sides_of(prover *p, const day_sum *s, const term *sides[2])
{
    int64_t n = s->halves / 2;
    sides[0] = n > 0    ? later(p, s->plus, s->unit, n)
               : n == 0 ? s->plus
                        : counted(p, s->plus, s->unit);
    sides[1] = n > 0    ? counted(p, s->minus, s->unit)
               : n == 0 ? s->minus
                        : later(p, s->minus, s->unit, -n);
}

// plus + n compared with minus.
static const term *compare_sum(prover *p, term_kind kind, const day_sum *s)
{
    int64_t n = s->halves / 2;
    const term *from = s->plus;
    const term *to = s->minus;
    if (from->kind == TERM_TEXT || to->kind == TERM_TEXT) {
        bool is_from = from->kind == TERM_TEXT;
        const term *limit = s->unit != UNIT_DAYS ? NULL
                            : is_from            ? term_days_later(p, from, n)
                                                 : term_days_later(p, to, -n);
        return !limit || (is_from && to->kind == TERM_TEXT) ? NULL
               : is_from ? term_compare(p, kind, limit, to)
                         : term_compare(p, kind, from, limit);
    }
    const term *sides[2];
    sides_of(p, s, sides);
    return term_compare(p, kind, sides[0], sides[1]);
}

// Has the comparison the form that compare_sum() gives it, in either order?
static bool is_settled(prover *p,
                       const day_sum *s,
                       const term *a,
                       const term *b)
{
    const term *sides[2];
    if (s->halves == 0 || s->plus->kind == TERM_TEXT
        || s->minus->kind == TERM_TEXT) {
        return false;
    }
    sides_of(p, s, sides);
    return (sides[0] == a && sides[1] == b) || (sides[0] == b && sides[1] == a);
}

const term *term_compare_days(prover *p,
                              term_kind kind,
                              const term *a,
                              const term *b)
{
    day_sum s = {0};
    unsigned touched = p->touched;
    bool may = !prover_is_typed(p) && kind <= TERM_GREATER_EQUAL;
    if (!may || !read_sum(p, a, 1, &s, 0) || !read_sum(p, b, -1, &s, 0)
        || !s.plus || !s.minus || s.halves % 2 != 0 || s.unit == UNIT_SECONDS
        || !prover_takes_types(p, touched) || is_settled(p, &s, a, b)) {
        p->touched = touched;
        return NULL;
    }
    const term *out = compare_sum(p, kind, &s);
    return out && local_allowed(p, LOCAL_DAY_COUNT) ? out : NULL;
}

bool term_read_days(const term *span, int64_t *n)
{
    str text = span->kind == TERM_TEXT ? span->text : (str){0};
    bool is_minus = str_starts(text, S("-"));
    bool is_signed = is_minus || str_starts(text, S("+"));
    str word = str_skip(text, is_signed);
    str number = str_cut(&word, ' ');
    bool is_days = str_among(word, "day days") && str_to_int(number, n)
                   && *n >= 0 && *n <= DAYS_MAX;
    *n = is_days && is_minus ? -*n : *n;
    return is_days;
}

// DATE(x, '+1 day') as a sum. In one direction only: after the last day of the
// year 9999 there is none, and none comes before it again.
static bool read_later(prover *p, const term *t, int sign, day_sum *s)
{
    int64_t n = 0;
    int64_t sum = 0;
    t = term_bare(t);
    while (t->kind == TERM_CALL && str_equal(t->text, S("date")) && t->n == 2
           && term_read_days(t->args[1], &n) && sum * n >= 0) {
        sum += n;
        t = term_bare(t->args[0]);
    }
    bool is_first = s->halves == 0 || sum == 0;  // the other side has no span
    s->halves += sign * 2 * sum;
    return is_first && place(s, day_of(p, t), UNIT_DAYS, sign);
}

const term *term_later_day(prover *p, const term *t)
{
    day_sum s = {0};
    unsigned touched = p->touched;
    bool may = !prover_is_typed(p) && t->kind == TERM_EQUAL
               && read_later(p, t->args[0], 1, &s)
               && read_later(p, t->args[1], -1, &s) && s.halves != 0
               && prover_takes_types(p, touched);
    const term *out = may ? compare_sum(p, TERM_EQUAL, &s) : NULL;
    return out && local_allowed(p, LOCAL_DAY_COUNT) ? out : t;
}

const term *term_day_within(prover *p, const term *t)
{
    day_sum s = {0};
    bool is_one = read_sum(p, t, 1, &s, 0) && s.plus && !s.minus
                  && s.unit != UNIT_NONE && s.plus->kind == TERM_COLUMN;
    return is_one && !prover_is_typed(p) && prover_takes_types(p, p->touched)
               ? s.plus
               : NULL;
}
