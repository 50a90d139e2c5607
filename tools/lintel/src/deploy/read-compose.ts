import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { CommandError } from '../command-error.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** A container, with the variables that its process gets. */
export interface DeployedService {
  readonly name: string;
  readonly command: readonly string[];
  readonly variables: Variables;
}

interface ComposeService {
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, unknown>> | readonly string[];
  readonly env_file?: string | readonly (string | { readonly path: string; readonly required?: boolean })[];
}

interface ComposeFile {
  readonly services?: Readonly<Record<string, ComposeService>>;
  readonly secrets?: Readonly<Record<string, { readonly file?: string }>>;
}

/** `$VAR`, `${VAR}`, `${VAR:-default}`, `${VAR:?reason}`; `$$` is a `$`. */
const REFERENCE =
  /\$(?:\$|(?<short>\w+)|\{(?<long>\w+)(?:(?<colon>:?)(?<operator>[-?+])(?<word>(?:[^{}]|\{[^}]*\})*))?\})/g;

/** Stands for a variable without a value, so that the other settings are judged. */
const ANY_SECRET = '0123456789abcdef'.repeat(4);

/**
 * Reads a compose file as Compose does, with the variables of the shell and of `.env` beside it.
 *
 * @returns the containers, and variables that the file requires and that have no value
 * @throws CommandError where it is not YAML
 */
export function readCompose(
  text: string,
  folder: string,
  shell: Variables,
): { readonly services: readonly DeployedService[]; readonly unset: readonly string[] } {
  const variables = { ...readEnv(join(folder, '.env'), false), ...shell };
  const unset = new Set<string>();
  const resolved = (value: string): string =>
    value.replace(REFERENCE, (...match) => {
      const { short, long, colon, operator, word = '' } = match.at(-1) as Readonly<Record<string, string | undefined>>;
      const name = short ?? long;
      if (name === undefined) return '$';
      const found = variables[name];
      const isSet = found !== undefined && (colon !== ':' || found !== '');
      if (operator === '+') return isSet ? word : '';
      if (operator === '?' && !isSet) {
        unset.add(name);
        return ANY_SECRET;
      }
      return (isSet ? found : operator === '-' ? resolved(word) : found) ?? '';
    });
  const { services = {}, secrets = {} } = parsed(text, resolved);
  const ofHost = (value: string): string => {
    const file = secrets[/^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? '']?.file;
    return file === undefined ? value : resolve(folder, file);
  };
  const found = Object.entries(services).map(([name, { command = [], environment = {}, env_file = [] }]) => {
    const files = [env_file].flat().map((file) => (typeof file === 'string' ? { path: file } : file));
    const own = Array.isArray(environment)
      ? environment.map((entry: string): [string, string?] => {
          const [key = '', ...rest] = entry.split('=');
          return entry.includes('=') ? [key, rest.join('=')] : [key];
        })
      : Object.entries(environment);
    // A name without a value passes the variable on, if it is set.
    const passed = own
      .map(([key, value]) => [key, value ?? variables[key]] as const)
      .filter(([, value]) => value !== undefined);
    return {
      name,
      command: typeof command === 'string' ? command.split(/\s+/) : command,
      variables: {
        ...Object.assign({}, ...files.map(({ path, required = true }) => readEnv(resolve(folder, path), required))),
        ...Object.fromEntries(passed.map(([key, value]) => [key, ofHost(String(value))])),
      },
    };
  });
  return { services: found, unset: [...unset] };
}

function parsed(text: string, resolved: (value: string) => string): ComposeFile {
  try {
    const reviver = (_key: unknown, value: unknown): unknown => (typeof value === 'string' ? resolved(value) : value);
    return parse(text, reviver, { merge: true, logLevel: 'error' }) ?? {};
  } catch (error) {
    // The first line names the position; the text of the file, which may have secrets, follows.
    const [problem = ''] = (error as Error).message.split(/:?\n/, 1);
    throw new CommandError(`The compose file is not valid: ${problem}`, 'Correct it');
  }
}

function readEnv(file: string, isRequired: boolean): Variables {
  if (existsSync(file)) return parseEnv(readFileSync(file, 'utf8'));
  if (isRequired) throw new CommandError(`${file} is missing`, 'Write the variables that it has');
  return {};
}
