import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { environment, setEnvironmentDefault, unsetVariable } from '@lintel/config/environment';
import { configuredDatabaseUrl } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { defaultNames } from '../init/application-names.ts';
import { writeFiles } from '../init/write-files.ts';
import { planOf } from '../introspect/introspect.ts';
import type { Terminal } from '../terminal.ts';
import type { ServeOptions } from './serve.command.ts';
import { servedApplication } from './served-application.ts';

/**
 * Writes an application for the tables of a database, unless the folder has one already, and starts it in this process.
 *
 * @throws CommandError naming what is wrong with the options, the database or the folder
 */
export async function serve(folder: string, options: ServeOptions, terminal: Terminal): Promise<void> {
  const startedAt = Date.now() - Math.round(performance.now());
  const url = configuredDatabaseUrl(options);
  if (url === undefined)
    throw new CommandError(
      'No database is named',
      'Give --url postgres://user:password@host/name, or set SVC_DATASOURCE_URL',
    );
  const target = resolve(folder);
  if (existsSync(join(target, 'src', 'index.ts')) && options.force !== true)
    terminal.note(`Using the application in ${target}; --force writes it again.`);
  else await writeApplication(target, url, options, terminal);
  process.chdir(target);
  unsetVariable('SVC_APPLICATION');
  setEnvironmentDefault('SVC_APPLICATION', '.');
  setEnvironmentDefault('LINTEL_HOME', join(target, '.lintel'));
  setEnvironmentDefault('LINTEL_STARTED_AT', String(startedAt));
  if (options.write === true) serveForWriting(target, url, terminal);
  else serveForReading(url);
  // It shows and ends by itself, until a signal.
  await import('@lintel/standalone/main');
}

async function writeApplication(target: string, url: string, options: ServeOptions, terminal: Terminal): Promise<void> {
  const plan = await planOf({ ...options, url }, terminal);
  const names = defaultNames(target);
  const written = writeFiles(target, servedApplication(plan, names), options.force ?? false);
  const { entities, findings } = plan;
  terminal.print(
    `Wrote the application "${names.name}" to ${target}: ${entities.length} entities, ${written.length} files.`,
  );
  if (findings.length > 0)
    terminal.print(
      `${findings.length} findings are in src/entities, above the entity that each concerns, and in index.ts.`,
    );
}

/** The platform has a database of its own; the variable would name another one for it. */
function serveForReading(url: string): void {
  for (const name of Object.keys(environment())) {
    if (/^svc[._-]?datasource[._-]?url$/i.test(name)) unsetVariable(name);
  }
  setEnvironmentDefault('SVC_DATASOURCE_APPLICATION_URL', url);
}

/** In the database itself there is one database for everything: writes and their events are one transaction. */
function serveForWriting(target: string, url: string, terminal: Terminal): void {
  setEnvironmentDefault('SVC_DATASOURCE_URL', url);
  terminal.print(
    'Clients may write. The schemas of the platform (sec, auth, events, …) are created in the database; your tables are not altered.',
  );
  if (environment()['SVC_DEMO_ENABLED'] === undefined)
    terminal.print(
      `There are no demo users in it. Add yourself in another terminal: npx lintel user add <name> --role system-full-access --application ${target} --url <url of the database>`,
    );
}
