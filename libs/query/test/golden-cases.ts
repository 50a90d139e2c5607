import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestRequest } from './run-stages.ts';
import type { TestAccess } from './test-access.ts';

/** What a request becomes, and what the database answers to it. */
export interface GoldenCase {
  readonly title: string;
  readonly request: TestRequest;
  readonly access?: TestAccess;
  readonly sql?: string;
  readonly values?: readonly unknown[];
  /** The answered rows: JSON texts, numbers with all their digits. */
  readonly rows?: readonly string[];
}

const FOLDER = new URL('./cases/', import.meta.url);

/** The case files by name. */
export const goldenFiles = (): readonly { readonly file: string; readonly cases: readonly GoldenCase[] }[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file, cases: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as GoldenCase[] }));

/** Writes what was found; only on request (`LINTEL_UPDATE_CASES=1`), to be read before it is committed. */
export const writeGoldenFile = (file: string, cases: readonly GoldenCase[]): void =>
  writeFileSync(new URL(file, FOLDER), `${JSON.stringify(cases, undefined, 2)}\n`);
