import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '../configuration-error.ts';
import { sourceError } from './source-error.ts';

/** The part of an application that this package needs; `@lintel/application` has the whole type. */
export interface LoadableApplication {
  readonly id: string;
  /** URL of the folder that resource names are relative to. */
  readonly resources?: URL;
  /** Defaults of `svc.*` properties. */
  readonly properties?: Readonly<Record<string, string>>;
}

/**
 * Imports the module that `svc.application` names, a path (relative to the working folder) or a package,
 * and returns its default export: `await loadApplication<Application>(…)`. Sources in TypeScript may have
 * decorators after `compileDecorators`.
 *
 * @throws ConfigurationError where there is no such module or it exports no application
 */
export async function loadApplication<A extends LoadableApplication>(
  specifier: string,
  folder: string = process.cwd(),
): Promise<A> {
  const url = locate(specifier, folder);
  const module: unknown = await import(url).catch((error: unknown) => {
    throw sourceError(error, folder);
  });
  const exported = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  if (!isApplication<A>(exported))
    throw new ConfigurationError([
      `svc.application: the default export of ${specifier} is not the result of defineApplication(…)`,
    ]);
  return exported;
}

/** `defineApplication` adds these members to its result; a plain definition does not have them. */
function isApplication<A extends LoadableApplication>(value: unknown): value is A {
  return typeof value === 'object' && value !== null && 'id' in value && 'model' in value && 'resourceRoles' in value;
}

/** URL of the module. A folder stands for the package in it, which is resolved by its own `exports`. */
function locate(specifier: string, folder: string): string {
  if (specifier.startsWith('file:')) return specifier;
  const isPath = specifier.startsWith('.') || specifier.startsWith('/') || /^[A-Za-z]:[\\/]/.test(specifier);
  try {
    if (!isPath) return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(specifier)).href;
    const path = resolve(folder, specifier);
    if (existsSync(path) && statSync(path).isDirectory()) {
      const description = join(path, 'package.json');
      const { name } = JSON.parse(readFileSync(description, 'utf8')) as { name: string };
      return pathToFileURL(createRequire(description).resolve(name)).href;
    }
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(path)).href;
  } catch (cause) {
    throw new ConfigurationError([
      `svc.application: ${specifier} cannot be found from ${folder} (${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)})`,
    ]);
  }
}
