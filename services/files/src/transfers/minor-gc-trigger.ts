/** Transferred bytes between two minor collections: about sixteen buffers of a socket. */
const BYTES_BETWEEN = 1024 * 1024;

/**
 * Keeps the memory of transfers small. Every chunk leaves a buffer outside of the heap, which V8 does not count when it
 * decides whether to collect garbage: without this, 100 MB of them accumulate. A minor collection takes less than a
 * millisecond.
 *
 * @param collect runs a minor collection; does nothing where Node was not started with `--expose-gc`
 * @returns a function to be called for every chunk of all transfers
 */
export function createMinorGcTrigger(collect: () => void): (bytes: number) => void {
  let passedBytes = 0;
  return (bytes) => {
    passedBytes += bytes;
    if (passedBytes < BYTES_BETWEEN) return;
    passedBytes = 0;
    collect();
  };
}
