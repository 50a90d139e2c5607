import { createRequire } from 'node:module';

/** The version of Lintel: all of its packages have the same. */
export const { version: LINTEL_VERSION } = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string;
};
