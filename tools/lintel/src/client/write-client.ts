import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeFiles } from '../init/write-files.ts';
import { loadWholeApplication } from '../load-whole-application.ts';
import type { Terminal } from '../terminal.ts';
import { applicationTypes } from './application-types.ts';
import type { ClientOptions } from './client.command.ts';

/** What every client needs and no model changes. */
const RUNTIME = new URL('../../client/rest-client.ts', import.meta.url);

/** Writes the client of the application into a folder: its types, and the code that all clients share. */
export async function writeClient(options: ClientOptions, terminal: Terminal): Promise<void> {
  const { application, paths } = await terminal.during('Reading the application', () => loadWholeApplication(options));
  const files = new Map([
    ['index.ts', applicationTypes(application, paths)],
    ['rest-client.ts', readFileSync(RUNTIME, 'utf8')],
  ]);
  const folder = resolve(options.output);
  const written = writeFiles(folder, files, true);
  if (options.json === true) terminal.print(JSON.stringify({ folder, files: written }));
  else terminal.print(`Wrote ${written.join(' and ')} to ${folder}.`);
}
