// headers.c - the public header stands alone, as C99, C17 and C++ (meson.build
// compiles this file in each).
#include <assay/assay.h>

int main(void)
{
    assay_limits limits = {0};
    return limits.timeout_ms != 0;
}
