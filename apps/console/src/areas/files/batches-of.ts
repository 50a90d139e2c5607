/** As the server has it. */
const MAX_FILES = 100;
/** The body of a request has 32 kB at most. */
const MAX_BYTES = 30_000;

/** Parts of a list of references that a request for their removal may have. */
export function batchesOf(fileRefs: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const fileRef of fileRefs) {
    const last = batches.at(-1);
    const length = new TextEncoder().encode(JSON.stringify(fileRef)).length + 1;
    bytes += length;
    if (last === undefined || last.length === MAX_FILES || bytes > MAX_BYTES) {
      batches.push([fileRef]);
      bytes = length;
    } else last.push(fileRef);
  }
  return batches;
}
