/*
 * sqlite_bound.c - the steps that a query takes at least, told before it takes
 * them.
 *
 * Why         A join without a condition runs until its limit of work, which
 *             is most of what many predictions cost. Its program shows early
 *             that it will: loops over whole tables, one inside the other.
 *
 * Method      EXPLAIN lists the program. Instructions are the nodes of a graph,
 *             each costs a step, and the cheapest way from the first one to the
 *             first that may end the query, show a row or fail is what it takes
 *             at least. A loop from Rewind to Next over a stored table counts
 *             as one node: its cheapest round, times the rows of the table.
 *             Loops are weighed from the last to the first, so the inner ones
 *             before those that they are in.
 *
 * Invariants  (1) Whatever is not known here ends the way: the bound may be too
 *                 low, never too high.
 *             (2) The connection of the query is in the middle of a step and is
 *                 not touched. Another one on the same image compiles the same
 *                 text to the same program.
 *
 * Cost        A connection, a look at the program, and a count of each table
 *             that a loop may run over. Paid only by queries that took a
 *             hundredth of their limit.
 */
#include "engine/engine_sqlite.h"
#include "engine/query_guard.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_INSTRUCTIONS = 1000,
};

static const int64_t NEVER = INT64_MAX;

typedef enum op_kind {
    OP_END,     // ends the way
    OP_STEP,    // the next one follows
    OP_BRANCH,  // the next one, or the one at p2
    OP_GOTO,    // the one at p2
    OP_CALL,    // what is at p2, until OP_RETURN; then the next one
    OP_RETURN,
    OP_FIRST,  // opens a loop, or skips it: goes on at p2
    OP_NEXT,   // goes back to p2, or on
} op_kind;

static const struct {
    op_kind kind;
    const char *names;
} kinds[] = {
    {OP_STEP,
     "Transaction OpenRead OpenEphemeral OpenAutoindex SorterOpen "
     "Integer Int64 Real String8 Null Copy SCopy Move Column Rowid "
     "IdxRowid DeferredSeek Sequence MakeRecord SorterInsert IdxInsert "
     "IdxDelete Delete Affinity RealAffinity Compare And Or Not Add "
     "Subtract Multiply Divide FilterAdd ColumnsUsed Noop Explain "
     "CollSeq BeginSubrtn"},
    {OP_BRANCH, "Eq Ne Lt Le Gt Ge ElseEq If IfNot IsNull NotNull IfPos "
                "IfNotZero IfNullRow Once DecrJumpZero Last IdxLE IdxLT IdxGE "
                "IdxGT Found NotFound NoConflict SeekRowid SeekGE SeekGT "
                "SeekLE SeekLT NotExists Filter"},
    {OP_GOTO, "Init Goto"},
    {OP_CALL, "Gosub"},
    {OP_RETURN, "Return"},
    {OP_FIRST, "Rewind"},
    {OP_NEXT, "Next"},
};

// Of these p1 is a cursor, which is elsewhere afterwards.
static const char movers[] =
    "OpenRead OpenEphemeral OpenAutoindex Rewind Last Next Prev SeekRowid "
    "SeekGE SeekGT SeekLE SeekLT NotExists Found NotFound NoConflict";

// They fail, if ever, when they are asked for their result.
static const char calm_aggregates[] = "avg(* count(* max(* min(* sum(* total(*";

typedef struct instruction {
    op_kind kind;
    int32_t p1;
    int32_t p2;
    int32_t moved;    // the cursor that it moves; -1: none
    int32_t page;     // OpenRead: where the table begins; 0: nothing is opened
    int32_t end;      // OP_FIRST of a loop that was weighed: its Next; else 0
    int64_t through;  // then: of all its rounds
    int64_t out;      // and until something in it may end the way
} instruction;

typedef struct program {
    instruction ptr[MOST_INSTRUCTIONS];
    int32_t len;
    sqlite3 *db;  // that counts rows
} program;

/* Reading. */

static op_kind kind_of(str name, const char *p4)
{
    if (str_equal(name, S("AggStep"))) {
        return guard_is_among(str_from(p4), calm_aggregates) ? OP_STEP : OP_END;
    }
    for (ptrdiff_t i = 0; i < countof(kinds); i++) {
        if (str_among(name, kinds[i].names)) {
            return kinds[i].kind;
        }
    }
    return OP_END;
}

// A row of EXPLAIN: addr, opcode, p1, p2, p3, p4.
static instruction read_instruction(sqlite3_stmt *row)
{
    const char *word = (const char *)sqlite3_column_text(row, 1);
    str name = str_from(word ? word : "");
    int32_t p1 = sqlite3_column_int(row, 2);
    int32_t p2 = sqlite3_column_int(row, 3);
    int32_t p3 = sqlite3_column_int(row, 4);
    bool is_open = str_equal(name, S("OpenRead")) && p3 == 0;
    bool jumps_never = str_equal(name, S("Last")) && p2 == 0;
    op_kind kind = kind_of(name, (const char *)sqlite3_column_text(row, 5));
    return (instruction){
        .kind = jumps_never ? OP_STEP : kind,
        .p1 = p1,
        .p2 = p2,
        .moved = str_equal(name, S("DeferredSeek")) ? p3
                 : str_among(name, movers)          ? p1
                                                    : -1,
        .page = is_open ? p2 : 0,
    };
}

// False when the text does not compile, or is too long a program.
static bool read_program(program *p, str sql)
{
    sqlite3_stmt *explain = NULL;
    char *text = sqlite3_mprintf("EXPLAIN %.*s", (int)sql.len, sql.ptr);
    bool ok =
        text && sqlite3_prepare_v2(p->db, text, -1, &explain, NULL) == SQLITE_OK
        && sqlite3_stmt_isexplain(explain) == 1;
    int rc = SQLITE_DONE;
    while (ok && p->len < MOST_INSTRUCTIONS
           && (rc = sqlite3_step(explain)) == SQLITE_ROW) {
        p->ptr[p->len++] = read_instruction(explain);
    }
    sqlite3_finalize(explain);
    sqlite3_free(text);
    return ok && rc == SQLITE_DONE;
}

// The first value that a statement returns; NULL: there is none. Both are of
// sqlite3_mprintf(), and the statement is freed.
static char *ask(sqlite3 *db, char *sql)
{
    sqlite3_stmt *s = NULL;
    char *said = NULL;
    if (sql && sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK
        && sqlite3_step(s) == SQLITE_ROW) {
        said = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
    }
    sqlite3_finalize(s);
    sqlite3_free(sql);
    return said;
}

// Rows of the table or index that begins on that page; 0: nobody knows. A
// partial index has fewer than its table.
static int64_t rows_on(sqlite3 *db, int32_t page)
{
    char *count = ask(
        db, sqlite3_mprintf(
                "SELECT printf('SELECT count(*) FROM \"%%w\"',"
                " tbl_name)"
                " FROM sqlite_schema WHERE rootpage = %d AND (type = 'table'"
                " OR sql IS NULL OR sql NOT LIKE '%%where%%')",
                page));
    char *rows = ask(db, count);
    int64_t n = 0;
    str_to_int(str_from(rows), &n);
    sqlite3_free(rows);
    return n;
}

/* Ways. */

// What the cheapest ways from an instruction take: to the end of the region,
// and to anything that ends the way.
typedef struct ways {
    int64_t through;
    int64_t out;
} ways;

static int64_t plus(int64_t a, int64_t b)
{
    return a > NEVER - b ? NEVER : a + b;
}

static void lower(int64_t *most, int64_t to)
{
    *most = to < *most ? to : *most;
}

// Steps of a subroutine in which nothing branches, with its return; 0: another.
static int64_t steps_of_call(const program *p, const instruction *call)
{
    int32_t at = call->p2;
    while (at >= 0 && at < p->len && p->ptr[at].kind == OP_STEP) {
        at++;
    }
    bool returns = at >= 0 && at < p->len && p->ptr[at].kind == OP_RETURN
                   && p->ptr[at].p1 == call->p1;
    return returns ? at - call->p2 + 1 : 0;
}

// Where an instruction leads to, and what it takes to get there.
typedef struct exits {
    int32_t to[2];
    int n;
    int64_t cost;
    int64_t out;  // until it may end the way; NEVER: it does not
} exits;

static exits exits_of(const program *p, int32_t at)
{
    const instruction *it = &p->ptr[at];
    int64_t called = it->kind == OP_CALL ? steps_of_call(p, it) : 0;
    switch (it->kind) {
    case OP_STEP: return (exits){{at + 1}, 1, 1, NEVER};
    case OP_GOTO: return (exits){{it->p2}, 1, 1, NEVER};
    case OP_CALL:
        return called > 0 ? (exits){{at + 1}, 1, 1 + called, NEVER}
                          : (exits){{0}, 0, 0, 0};
    case OP_FIRST:
        if (it->end > 0) {
            return (exits){{it->end + 1}, 1, it->through, it->out};
        }
        return (exits){{at + 1, it->p2}, 2, 1, NEVER};
    case OP_BRANCH:
    case OP_NEXT: return (exits){{at + 1, it->p2}, 2, 1, NEVER};
    case OP_END:
    case OP_RETURN: break;
    }
    return (exits){{0}, 0, 0, 0};
}

// The cheapest ways from `from` to `end`, which lies behind it; what leaves the
// region between them ends the way. Few jumps go back, so that two or three
// rounds over the region are enough.
static ways cheapest(const program *p, int32_t from, int32_t end)
{
    int64_t cost[MOST_INSTRUCTIONS];
    ways w = {NEVER, NEVER};
    assert(from <= end && end <= p->len);
    for (int32_t i = from; i < end; i++) {
        cost[i] = i == from ? 0 : NEVER;
    }
    w.through = from == end ? 0 : NEVER;
    for (bool changes = true; changes;) {
        changes = false;
        for (int32_t at = from; at < end; at++) {
            if (cost[at] == NEVER) {
                continue;
            }
            exits e = exits_of(p, at);
            lower(&w.out, plus(cost[at], e.out));
            for (int i = 0; i < e.n; i++) {
                int64_t c = plus(cost[at], e.cost);
                int32_t to = e.to[i];
                bool is_inside = to >= from && to < end;
                changes |= is_inside && c < cost[to];
                lower(is_inside   ? &cost[to]
                      : to == end ? &w.through
                                  : &w.out,
                      c);
            }
        }
    }
    return w;
}

// The Next of the loop over all rows that begins at `first`; 0: it is none, or
// something in it moves the cursor.
static int32_t end_of_loop(const program *p, int32_t first)
{
    int32_t cursor = p->ptr[first].p1;
    for (int32_t i = first + 1; i < p->len; i++) {
        const instruction *it = &p->ptr[i];
        if (it->moved == cursor) {
            return it->kind == OP_NEXT && it->p2 == first + 1 ? i : 0;
        }
    }
    return 0;
}

// Rows of the table that a cursor was opened on once; 0: nobody knows.
static int64_t rows_of(const program *p, int32_t cursor)
{
    int32_t page = 0;
    for (int32_t i = 0; i < p->len; i++) {
        const instruction *it = &p->ptr[i];
        bool is_open = it->moved == cursor && it->page > 0;
        if (is_open && page > 0) {
            return 0;
        }
        page = is_open ? it->page : page;
    }
    return page > 0 ? rows_on(p->db, page) : 0;
}

static int64_t times(int64_t a, int64_t b)
{
    return b > 0 && a > NEVER / b ? NEVER : a * b;
}

static void weigh_loop(program *p, int32_t first)
{
    int32_t end = end_of_loop(p, first);
    int64_t rows = end > 0 ? rows_of(p, p->ptr[first].p1) : 0;
    if (rows > 0) {
        ways round = cheapest(p, first + 1, end);
        p->ptr[first].through = plus(1, times(rows, plus(round.through, 1)));
        p->ptr[first].out = plus(1, round.out);
        p->ptr[first].end = end;
    }
}

static int64_t least_of(program *p)
{
    for (int32_t i = p->len - 1; i >= 0; i--) {
        if (p->ptr[i].kind == OP_FIRST) {
            weigh_loop(p, i);
        }
    }
    return p->len > 0 ? cheapest(p, 0, p->len).out : 0;
}

int64_t sqlite_least_work(const sqlite_database *db, str sql)
{
    sqlite_database other = {
        .base = db->base,
        .image = db->image,
        .size = db->size,
        .deadline_ns = db->deadline_ns,
    };
    program p = {0};
    bool ok = sqlite_connect_image(&other) == SQLITE_OK;
    p.db = other.db;
    int64_t least = ok && read_program(&p, sql) ? least_of(&p) : 0;
    sqlite3_close(other.db);
    sqlite3_free(other.broken);
    return least;
}
