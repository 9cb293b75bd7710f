// worker_exit.h - how a worker ends when it cannot go on; its parent makes a
// verdict of it.
#ifndef ASSAY_PROCESS_WORKER_EXIT_H
#define ASSAY_PROCESS_WORKER_EXIT_H

enum {
    WORKER_EXIT_OK = 0,
    WORKER_EXIT_SETUP = 70,   // could not even begin: the run is over
    WORKER_EXIT_MEMORY = 71,  // an arena was full
};

#endif  // ASSAY_PROCESS_WORKER_EXIT_H
