import { basename, dirname, resolve } from 'node:path';
import type { BenchOptions } from '../options.ts';
import { recordResults } from './record-results.ts';

/**
 * Writes a result to the file that `--output` names, or to the folder of recorded results.
 *
 * @returns the file; undefined if the result is not to be recorded
 */
export function keepResults(
  { record, output }: Pick<BenchOptions, 'record' | 'output'>,
  folder: string,
  name: string,
  result: unknown,
): string | undefined {
  if (output !== undefined) return recordResults(dirname(resolve(output)), basename(output), result);
  return record ? recordResults(folder, name, result) : undefined;
}
