// endpoint.h - what the server answers, by method and path (endpoint.def).
#ifndef ASSAY_SERVE_ENDPOINT_H
#define ASSAY_SERVE_ENDPOINT_H

#include "base/buf.h"

typedef enum endpoint {
#define ENDPOINT(constant, method, path, type, text) ENDPOINT_##constant,
#include "serve/endpoint.def"
#undef ENDPOINT
    ENDPOINT_COUNT,
} endpoint;

// ENDPOINT_COUNT where nothing has this path.
endpoint endpoint_of(str path);

// HEAD is as good as GET.
bool endpoint_takes(endpoint e, str method);
bool endpoint_takes_lines(endpoint e);  // for those who judge
const char *endpoint_method(endpoint e);
const char *endpoint_type(endpoint e);  // of a good answer

// All of them as OpenAPI 3.0.
str endpoint_description(arena *a);

#endif  // ASSAY_SERVE_ENDPOINT_H
