/*
 * apart.c - see apart.h.
 *
 * Method      Names that are equal make a group. Each of it takes the shortest
 *             end of its path that none of the others has.
 *
 * Cost        Quadratic in names, which are few.
 */
#include "base/apart.h"

str path_stem(str path)
{
    for (str rest = path; rest.len > 0;) {
        path = str_cut(&rest, '/');
    }
    for (ptrdiff_t i = path.len - 1; i > 0; i--) {
        if (path.ptr[i] == '.') {
            return str_sub(path, 0, i);
        }
    }
    return path;
}

str path_folder(str path)
{
    ptrdiff_t end = path.len;
    while (end > 0 && path.ptr[end - 1] != '/') {
        end--;
    }
    return end > 0 ? str_sub(path, 0, end > 1 ? end - 1 : 1) : S(".");
}

typedef struct group {
    const str *files;
    const ptrdiff_t *members;
    ptrdiff_t n;
    str name;
    bool has_stems;   // they differ: a part of the path that tells apart
    ptrdiff_t depth;  // no path has more parts
} group;

static str file_at(const group *g, ptrdiff_t member)
{
    return g->files[g->members[member]];
}

// The last `depth` parts of what stands before the name, and the name.
static str path_end(const group *g, ptrdiff_t member, ptrdiff_t depth, arena *a)
{
    str path = file_at(g, member);
    str stem = path_stem(path);
    str name = g->name;
    if (g->has_stems && depth > 0) {
        bool says_more = !str_equal(stem, name);
        name = says_more
                   ? arena_printf(a, "%.*s/%.*s", STR_ARG(stem), STR_ARG(name))
                   : name;
        depth--;
    }
    str_list folders = {0};
    for (str rest = path; rest.len > 0;) {
        str folder = str_cut(&rest, '/');
        if (rest.len > 0 && folder.len > 0 && !str_equal(folder, S("."))) {
            *vec_push(a, &folders) = folder;
        }
    }
    for (ptrdiff_t i = folders.len; i > 0 && folders.len - i < depth; i--) {
        name = arena_printf(a, "%.*s/%.*s", STR_ARG(folders.ptr[i - 1]),
                            STR_ARG(name));
    }
    return name;
}

// But for those of the same file.
static bool is_alone(const group *g,
                     ptrdiff_t member,
                     ptrdiff_t depth,
                     str name,
                     arena scratch)
{
    for (ptrdiff_t i = 0; i < g->n; i++) {
        arena local = scratch;
        if (!str_equal(file_at(g, i), file_at(g, member))
            && str_equal(path_end(g, i, depth, &local), name)) {
            return false;
        }
    }
    return true;
}

static str shortest_end(const group *g, ptrdiff_t member, arena *a)
{
    for (ptrdiff_t depth = 0; depth <= g->depth; depth++) {
        str name = path_end(g, member, depth, a);
        if (is_alone(g, member, depth, name, *a)) {
            return name;
        }
    }
    // They differ in what comes after the stem, or in how a path is written.
    str path = file_at(g, member);
    return str_equal(path_stem(path), g->name)
               ? path
               : arena_printf(a, "%.*s/%.*s", STR_ARG(path), STR_ARG(g->name));
}

static str name_apart(const group *g, ptrdiff_t member, arena *a, arena scratch)
{
    str name = shortest_end(g, member, &scratch);
    ptrdiff_t n_same = 0;
    ptrdiff_t number = 0;
    for (ptrdiff_t i = 0; i < g->n; i++) {
        n_same += str_equal(file_at(g, i), file_at(g, member));
        number = i == member ? n_same : number;
    }
    return n_same > 1 ? arena_printf(a, "%.*s#%td", STR_ARG(name), number)
                      : arena_str(a, name);
}

static void measure(group *g)
{
    for (ptrdiff_t i = 0; i < g->n; i++) {
        str path = file_at(g, i);
        ptrdiff_t depth = 1;
        for (str rest = path; rest.len > 0; depth++) {
            str_cut(&rest, '/');
        }
        g->depth = depth > g->depth ? depth : g->depth;
        g->has_stems |= !str_equal(path_stem(path), path_stem(file_at(g, 0)));
    }
}

void names_tell_apart(str *names,
                      const str *files,
                      ptrdiff_t n,
                      arena *a,
                      arena scratch)
{
    str *apart = arena_new(&scratch, str, n);
    ptrdiff_t *members = arena_new(&scratch, ptrdiff_t, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        group g = {.files = files, .members = members, .name = names[i]};
        ptrdiff_t self = 0;
        for (ptrdiff_t k = 0; k < n; k++) {
            self = k == i ? g.n : self;
            if (str_equal(names[k], names[i])) {
                members[g.n++] = k;
            }
        }
        measure(&g);
        apart[i] = g.n > 1 ? name_apart(&g, self, a, scratch) : names[i];
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        names[i] = apart[i];
    }
}
