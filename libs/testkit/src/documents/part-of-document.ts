import { strFromU8, unzipSync } from 'fflate';

/** Returns the text of a part of a docx or xlsx file; an empty one where it has no such part. */
export const partOfDocument = (file: Uint8Array, part: string): string => {
  const bytes = unzipSync(file, { filter: ({ name }) => name === part })[part];
  return bytes === undefined ? '' : strFromU8(bytes);
};
