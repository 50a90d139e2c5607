import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Variables that a program of a test gets besides its own: where programs are, and where Node keeps compiled code. Many
 * programs of a run have the same sources; each but the first starts with half the processor time.
 */
export const programVariables = (): Readonly<Record<'PATH' | 'NODE_COMPILE_CACHE', string>> => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache'),
});
