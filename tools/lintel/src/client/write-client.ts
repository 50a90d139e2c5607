import { resolve } from 'node:path';
import { writeFiles } from '../init/write-files.ts';
import { loadWholeApplication } from '../load-whole-application.ts';
import type { Terminal } from '../terminal.ts';
import { applicationTypes } from './application-types.ts';
import type { ClientOptions } from './client.command.ts';

/** Writes the types of the application into a folder, for `@lintel/client`. */
export async function writeClient(options: ClientOptions, terminal: Terminal): Promise<void> {
  const { application, paths } = await terminal.during('Reading the application', () => loadWholeApplication(options));
  const files = new Map([['index.ts', applicationTypes(application, paths)]]);
  const folder = resolve(options.output);
  const written = writeFiles(folder, files, true);
  if (options.json === true) terminal.print(JSON.stringify({ folder, files: written }));
  else terminal.print(`Wrote ${written.join(' and ')} to ${folder}.`);
}
