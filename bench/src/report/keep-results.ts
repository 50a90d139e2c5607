import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { BenchOptions } from '../options.ts';

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

/** Writes a result to a file of the folder; returns the file. */
function recordResults(folder: string, name: string, result: unknown): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, `${JSON.stringify(result, rounded)}\n`);
  return file;
}

/** Three digits after the point are more than the measurement knows. */
const rounded = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
