import type { Schema } from '../../route-description.ts';

/** Content that is not text. */
export const bytesOf = (type: string): Readonly<Record<string, Schema>> => ({
  [type]: { type: 'string', format: 'binary' },
});
