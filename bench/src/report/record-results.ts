import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plotResults } from './plot-results.ts';
import type { RecordedRun } from './recorded-run.ts';

/** Writes the run to `<commit>.json` of the folder and draws the plot over all runs in it; answers the file. */
export function recordResults(folder: string, run: RecordedRun): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${run.commit}.json`);
  writeFileSync(file, `${JSON.stringify(run, rounded)}\n`);
  const runs = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedRun);
  writeFileSync(join(folder, 'results.svg'), plotResults(runs));
  return file;
}

/** Three digits after the point are more than the measurement knows. */
const rounded = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
