import { readFileSync } from 'node:fs';
import { environment } from '../environment.ts';
import { normalKey } from '../key-names.ts';
import KNOWN_KEYS from '../known-keys.json' with { type: 'json' };
import type { PropertySource } from './property-source.ts';
import { readPropertiesFile } from './read-properties-file.ts';
import { readSecretsFolder, withoutLastLineEnd } from './read-secrets-folder.ts';
import { readYamlFile } from './read-yaml-file.ts';
import { resolvePlaceholders } from './resolve-placeholders.ts';

/** The sources that `loadSettings` reads; later sources win. */
export interface SettingSources {
  readonly sources: readonly PropertySource[];
  /** Text of a file named by a `*_FILE` property. */
  readonly readSecretFile: (path: string) => string;
  /** Properties of other services and of the application, which must not stop the start. Maps end in `.*`. */
  readonly knownKeys?: readonly string[];
  /** Names that the keys of a map are matched with, by the map's prefix (entity names, client names). */
  readonly mapKeys?: Readonly<Record<string, readonly string[]>>;
  /** The errors of reading the sources. */
  readonly problems?: readonly string[];
}

export interface ProcessSourcesOptions {
  /** Defaults that the application declares (`Application.properties`). */
  readonly applicationProperties?: Readonly<Record<string, string>> | undefined;
  /** Defaults of a run mode; they override those of the application and are overridden by the files. */
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
const ALWAYS_KNOWN = ['svc.application', 'svc.config-file', 'svc.secrets-folder'];

/**
 * The sources of this process in rising order: application defaults, the properties and YAML files named by
 * `svc.config-file`, the folders of secret files named by `svc.secrets-folder` (both comma-separated), the
 * environment. What cannot be read is among the problems.
 */
export function processSources(options: ProcessSourcesOptions = {}): SettingSources {
  const variables = definedOnly(options.environment ?? environment());
  const problems: string[] = [];
  const reading = <T>(property: string, path: string, read: (path: string) => readonly T[]): readonly T[] => {
    try {
      return read(path);
    } catch (cause) {
      problems.push(`${property}: ${path} cannot be read (${cause instanceof Error ? cause.message : String(cause)})`);
      return [];
    }
  };
  const files = listIn([{ values: variables }], 'svc.config-file').flatMap((path) =>
    reading('svc.config-file', path, (name) => [
      /\.ya?ml$/i.test(name) ? readYamlFile(name) : readPropertiesFile(name),
    ]),
  );
  const secrets = listIn([{ values: variables }, ...files.toReversed()], 'svc.secrets-folder').flatMap((path) =>
    reading('svc.secrets-folder', path, readSecretsFolder),
  );
  const isProduction = variables['NODE_ENV'] === 'production';
  const sources: PropertySource[] = [
    {
      label: 'NODE_ENV',
      kind: 'application',
      values: isProduction ? { 'svc.security.production': 'true' } : {},
    },
    { label: 'application', kind: 'application', values: options.applicationProperties ?? {} },
    { label: 'default', kind: 'application', values: options.defaults ?? {} },
    ...files,
    ...secrets,
    { label: 'environment', kind: 'environment', values: variables },
  ];
  const resolved = resolvePlaceholders(sources, variables);
  const { overrides } = options;
  return {
    sources: [
      ...resolved.sources,
      ...(overrides === undefined ? [] : [{ label: 'start', kind: 'application', values: overrides } as const]),
    ],
    problems: [...problems, ...resolved.problems],
    readSecretFile: (path) => withoutLastLineEnd(readFileSync(path, 'utf8')),
    knownKeys: [...ALWAYS_KNOWN, ...(options.knownKeys ?? KNOWN_KEYS)],
    ...(options.mapKeys === undefined ? {} : { mapKeys: options.mapKeys }),
  };
}

function definedOnly(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) if (value !== undefined) defined[key] = value;
  return defined;
}

/** A list of further sources to read, from the first source that contains it. */
function listIn(sources: readonly Pick<PropertySource, 'values'>[], name: string): readonly string[] {
  for (const { values } of sources) {
    const key = Object.keys(values).find((other) => normalKey(other) === normalKey(name));
    if (key === undefined) continue;
    return (values[key] ?? '')
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '');
  }
  return [];
}
