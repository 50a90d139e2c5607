import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a result to a file of the folder; returns the file. */
export function recordResults(folder: string, name: string, result: unknown): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, `${JSON.stringify(result, rounded)}\n`);
  return file;
}

/** Three digits after the point are more than the measurement knows. */
const rounded = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
