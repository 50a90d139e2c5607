import { randomBytes } from 'node:crypto';

/** A name that nothing else uses: letters, digits and the separator only. */
export const uniqueName = (prefix: string, separator = '_'): string =>
  `${prefix}${separator}${process.pid}${separator}${randomBytes(5).toString('hex')}`;
