import { resolve } from 'node:path';
import { type Application, assertDataParts } from '@lintel/application';
import {
  connectionSettings,
  defineSettings,
  loadApplication,
  loadSettings,
  type ProcessSourcesOptions,
  postgresUrlValue,
  processSources,
  type SettingSources,
  type SettingsOf,
  sessionUrlOf,
  setting,
  textValue,
} from '@lintel/config';
import { environment } from '@lintel/config/environment';
import type { Terminal } from './terminal.ts';

/** Options that commands about an application have. */
export interface ApplicationOptions {
  readonly application?: string;
  readonly url?: string;
  /** Whether the result is printed as JSON. */
  readonly json?: boolean;
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
  url: setting('svc.datasource.url', postgresUrlValue().optional(), 'PostgreSQL URL of the owner of the schemas', {
    secret: true,
  }),
  ...connectionSettings,
});

/** The URL for sessions; one that the caller names is used instead of `svc.datasource.direct-url`. */
const databaseUrlOf = (
  { url, ...config }: SettingsOf<typeof shape>,
  { url: named }: Pick<ApplicationOptions, 'url'>,
): string | undefined =>
  url === undefined
    ? undefined
    : sessionUrlOf({ ...config, url, directUrl: named === undefined ? config.directUrl : undefined });

type Variables = Readonly<Record<string, string | undefined>>;

const naming = defineSettings({
  application: setting('svc.application', textValue().optional(), 'Module of the application'),
});

/** Variables in which the application is that of this folder unless they, or a file that they name, have another one. */
export function applicationEnvironment(variables: Variables = environment()): Variables {
  // The start itself reports a file that cannot be read.
  const sources = { ...processSources({ environment: variables, knownKeys: ['svc.*'] }), problems: [] };
  const isNamed = loadSettings(naming, sources).application !== undefined;
  return isNamed ? variables : { ...variables, SVC_APPLICATION: '.' };
}

/** Where the properties of the application come from: options, variables, files. */
export const applicationSources = (
  { application, url }: ApplicationOptions,
  variables: Variables = environment(),
  more: Omit<ProcessSourcesOptions, 'overrides' | 'environment'> = {},
): SettingSources =>
  processSources({
    ...more,
    environment: applicationEnvironment(variables),
    overrides: {
      ...(application !== undefined && { 'svc.application': application }),
      ...(url !== undefined && { 'svc.datasource.url': url }),
    },
  });

/** The application that `--application`, `svc.application` or this folder names, with all of its parts checked. */
export async function openApplication(
  options: ApplicationOptions,
  variables: Variables = environment(),
): Promise<ApplicationContext> {
  // Other properties are none of this command's business.
  const knownKeys = ['svc.*'];
  const { application: specifier } = loadSettings(shape, applicationSources(options, variables, { knownKeys }));
  const application = await loadApplication<Application>(specifier);
  assertDataParts(application);
  const applicationProperties = application.properties ?? {};
  const config = loadSettings(shape, applicationSources(options, variables, { knownKeys, applicationProperties }));
  return { application, databaseUrl: databaseUrlOf(config, options) };
}

/** PostgreSQL URL that `--url` or `svc.datasource.url` names, for commands that need no application. */
export const configuredDatabaseUrl = (options: Pick<ApplicationOptions, 'url'>): string | undefined =>
  databaseUrlOf(loadSettings(shape, applicationSources(options, undefined, { knownKeys: ['svc.*'] })), options);

/** The database of `npm start` in this folder; started for the command where it does not run. */
export async function openDatabaseOfFolder(
  terminal: Terminal,
  home: string = resolve(environment()['LINTEL_HOME'] ?? '.lintel'),
): Promise<OpenedDatabase> {
  const { openHomeDatabase } = await import('@lintel/standalone');
  return terminal.during('Starting the database of this folder', (onStep) => openHomeDatabase(home, onStep));
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
