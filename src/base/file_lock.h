// file_lock.h - files that only one process at a time may write.
#ifndef ASSAY_BASE_FILE_LOCK_H
#define ASSAY_BASE_FILE_LOCK_H

// Opens the file, making it if need be, and locks it until the descriptor is
// closed. -1 with errno; EBUSY: another process has locked it.
int file_lock(const char *name);

// A new, empty, locked file in the place of what an earlier process left there.
// Never writes through a link. -1 with errno; EBUSY: another process is writing
// it.
int file_create(const char *name);

#endif  // ASSAY_BASE_FILE_LOCK_H
