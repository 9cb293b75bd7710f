// front_absent.c - front.h in a build without libmicrohttpd.
#include "serve/front.h"

front_end front_run(const front_options *options, arena *a, diag *d)
{
    (void)options;
    (void)a;
    diag_add(d, (diag_place){0},
             "this build of assay cannot serve HTTP (it was built without "
             "libmicrohttpd); assay worker takes requests from a pipe");
    return FRONT_FAILED;
}
