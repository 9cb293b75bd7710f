/*
 * schema_spider.h - Spider's tables.json: schemas by database name.
 */
#ifndef ASSAY_SCHEMA_SCHEMA_SPIDER_H
#define ASSAY_SCHEMA_SCHEMA_SPIDER_H

#include "base/diag.h"
#include "base/json.h"
#include "base/map.h"
#include "schema/schema.h"

typedef struct schema_list {
    map names;  // of databases; ids index `schemas`
    vec_of(schema) schemas;
} schema_list;

// Reads the text of a tables.json into `a`. False with a message when it is
// none; `file` is for messages.
bool schema_list_read(schema_list *list,
                      arena *a,
                      str file,
                      str text,
                      diag *d,
                      arena scratch);

// The same of a file.
bool schema_list_open(schema_list *list,
                      arena *a,
                      str path,
                      diag *d,
                      arena scratch);

// NULL when the list does not have it.
const schema *schema_list_find(const schema_list *list, str db);

#endif  // ASSAY_SCHEMA_SCHEMA_SPIDER_H
