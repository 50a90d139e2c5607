import { resolve } from 'node:path';
import type { Application } from '@lintel/application';
import { defineSettings, loadApplication, loadSettings, processSources, setting, textValue } from '@lintel/config';
import { environment } from '@lintel/config/environment';
import type { Terminal } from './terminal.ts';

/** Options that commands about an application have; each stands for a property. */
export interface ApplicationOptions {
  readonly application?: string;
  readonly url?: string;
}

/** The application that a command is about, and where its database is. */
export interface ApplicationContext {
  readonly application: Application;
  /** PostgreSQL URL, where one is configured. */
  readonly databaseUrl: string | undefined;
}

interface OpenedDatabase {
  readonly url: string;
  close(): Promise<void>;
}

const shape = defineSettings({
  application: setting('svc.application', textValue().default('.'), 'Module of the application: a path or a package'),
  url: setting('svc.datasource.url', textValue().optional(), 'PostgreSQL URL of the owner of the schemas', {
    secret: true,
  }),
});

/** The variables of this process, in which the application is that of this folder unless they name another one. */
export function applicationEnvironment(): Readonly<Record<string, string | undefined>> {
  const variables = environment();
  const isNamed = variables['SVC_APPLICATION'] !== undefined || variables['SVC_CONFIG_FILE'] !== undefined;
  return isNamed ? variables : { ...variables, SVC_APPLICATION: '.' };
}

/** The application that `--application`, `svc.application` or this folder names. */
export async function openApplication({ application, url }: ApplicationOptions): Promise<ApplicationContext> {
  const overrides = {
    ...(application !== undefined && { 'svc.application': application }),
    ...(url !== undefined && { 'svc.datasource.url': url }),
  };
  // Other properties are none of this command's business.
  const config = loadSettings(shape, processSources({ overrides, knownKeys: ['svc.*'] }));
  return { application: await loadApplication<Application>(config.application), databaseUrl: config.url };
}

/** The database of `npm start` in this folder; started for the command where it does not run. */
export async function openDatabaseOfFolder(terminal: Terminal): Promise<OpenedDatabase> {
  const { openHomeDatabase } = await import('@lintel/standalone');
  const home = resolve(environment()['LINTEL_HOME'] ?? '.lintel');
  return terminal.during('Starting the database of this folder', (tell) => openHomeDatabase(home, tell));
}

/** Works with the configured database of the application, or with that of this folder. */
export async function withDatabase<T>(
  { databaseUrl }: Pick<ApplicationContext, 'databaseUrl'>,
  terminal: Terminal,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) return work(databaseUrl);
  const database = await openDatabaseOfFolder(terminal);
  try {
    return await work(database.url);
  } finally {
    await database.close();
  }
}
