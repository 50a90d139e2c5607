/**
 * How glibc gives memory back to the system. By itself it raises both thresholds to the size of the largest buffer that
 * was freed, up to 32 and 64 MB: from then on large results, hashes of passwords and files leave their memory in its
 * arenas, of which there is one for each thread. These are the values that it begins with. Other C libraries ignore them.
 */
export const MEMORY_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Options of Node for the process of all services. By default the young generation may grow to 96 MB, and V8 keeps most
 * of it: after a minute of hostile requests the process had 560 MB. With 16 MB it had 352 MiB under a mixed load, 2 more
 * than its limit.
 */
export const STANDALONE_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];
