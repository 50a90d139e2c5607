import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestRequest } from '../run-stages.ts';
import type { TestAccess } from '../test-access.ts';

/** A request to the test model. The expected statement and rows are files in the same folder. */
export interface GoldenCase {
  readonly title: string;
  readonly request: TestRequest;
  readonly access?: TestAccess;
  /** URL of the folder, with a slash at its end. */
  readonly folder: URL;
}

export type ExpectedFile = 'expected.sql' | 'expected.jsonl';

const FOLDER = new URL('../cases/', import.meta.url);
const UPDATES = process.env['LINTEL_UPDATE_GOLDEN'] === 'true';

const namesIn = (folder: URL): readonly string[] => readdirSync(folder).sort();

/** All cases by area, sorted by folder name. */
export const goldenAreas = (): readonly { readonly area: string; readonly cases: readonly GoldenCase[] }[] =>
  namesIn(FOLDER).map((area) => {
    const folder = new URL(`${area}/`, FOLDER);
    return { area, cases: namesIn(folder).map((name) => goldenCase(new URL(`${name}/`, folder))) };
  });

function goldenCase(folder: URL): GoldenCase {
  const text = readFileSync(new URL('request.json', folder), 'utf8');
  return { ...(JSON.parse(text) as Omit<GoldenCase, 'folder'>), folder };
}

/** Names of the files of a case. */
export const filesOf = ({ folder }: GoldenCase): readonly string[] => namesIn(folder);

/**
 * The content of an expected file. With `LINTEL_UPDATE_GOLDEN=true`, `found` is written to it first: read the
 * difference before you commit it. Continuous integration never writes.
 *
 * @throws Error when there is no such file, or when it would be written although `CI` is set
 */
export function expectedText({ folder }: GoldenCase, name: ExpectedFile, found: string): string {
  const file = new URL(name, folder);
  if (UPDATES) {
    if (process.env['CI']) throw new Error('LINTEL_UPDATE_GOLDEN is for the machine of a developer, and CI is set');
    writeFileSync(file, found);
  } else if (!existsSync(file)) {
    throw new Error(`${file.pathname} is missing; LINTEL_UPDATE_GOLDEN=true writes it`);
  }
  return readFileSync(file, 'utf8');
}
