import { readFileSync } from 'node:fs';
import { getProperties } from 'properties-file';
import { ConfigurationError } from './configuration-error.ts';
import { environment } from './environment.ts';
import { normalKey } from './key-names.ts';
import { KNOWN_KEYS } from './known-keys.ts';

/** One place that properties come from. */
export interface PropertySource {
  /** Shown in errors: `environment`, `application`, a file's name. */
  readonly label: string;
  readonly kind: 'application' | 'file' | 'environment';
  readonly values: Readonly<Record<string, string>>;
}

/** Where `loadSettings` looks; later sources win. */
export interface SettingSources {
  readonly sources: readonly PropertySource[];
  /** Text of a file named by a `*_FILE` property. */
  readonly readSecretFile: (path: string) => string;
  /** Properties of other services and of the application, which must not stop the start. Maps end in `.*`. */
  readonly knownKeys?: readonly string[];
  /** Names that the keys of a map are matched with, by the map's prefix (entity names, client names). */
  readonly mapKeys?: Readonly<Record<string, readonly string[]>>;
}

export interface ProcessSourcesOptions {
  /** Defaults that the application declares (`Application.properties`). */
  readonly applicationProperties?: Readonly<Record<string, string>> | undefined;
  /** Values between those of the application and the files: what a mode of running would rather have. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Values that win over everything: what `deploy/standalone` decides itself (ports, folders). */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Keys of other services; the generated list of all services without it. */
  readonly knownKeys?: readonly string[];
  readonly mapKeys?: Readonly<Record<string, readonly string[]>>;
  /** Replaces the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Read before any shape is. */
const ALWAYS_KNOWN = ['svc.application', 'svc.config-file'];

/**
 * The sources of this process in rising order: application defaults, the properties files named by
 * `svc.config-file` (comma-separated), the environment.
 *
 * @throws ConfigurationError where a file cannot be read
 */
export function processSources(options: ProcessSourcesOptions = {}): SettingSources {
  const variables = definedOnly(options.environment ?? environment());
  const sources: PropertySource[] = [
    { label: 'application', kind: 'application', values: options.applicationProperties ?? {} },
    { label: 'default', kind: 'application', values: options.defaults ?? {} },
    ...configFiles(variables).map(fileSource),
    { label: 'environment', kind: 'environment', values: variables },
  ];
  if (options.overrides !== undefined) sources.push({ label: 'start', kind: 'application', values: options.overrides });
  return {
    sources,
    readSecretFile: (path) => readFileSync(path, 'utf8').replace(/\r?\n$/, ''),
    knownKeys: [...ALWAYS_KNOWN, ...(options.knownKeys ?? KNOWN_KEYS)],
    ...(options.mapKeys === undefined ? {} : { mapKeys: options.mapKeys }),
  };
}

function definedOnly(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) if (value !== undefined) defined[key] = value;
  return defined;
}

function configFiles(variables: Readonly<Record<string, string>>): readonly string[] {
  const key = Object.keys(variables).find((name) => normalKey(name) === 'svcconfigfile');
  const value = key === undefined ? '' : (variables[key] ?? '');
  return value
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
}

function fileSource(path: string): PropertySource {
  try {
    return { label: path, kind: 'file', values: getProperties(readFileSync(path, 'utf8')) };
  } catch (cause) {
    throw new ConfigurationError([
      `svc.config-file: ${path} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`,
    ]);
  }
}
