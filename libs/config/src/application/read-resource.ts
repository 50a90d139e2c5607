import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../configuration-error.ts';
import type { LoadableApplication } from './load-application.ts';

/**
 * Text (UTF-8) of a resource of the application, by its name relative to `application.resources`.
 *
 * @throws ConfigurationError where it does not exist or lies outside that folder
 */
export async function readResource(application: Pick<LoadableApplication, 'resources'>, name: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await readResourceBytes(application, name));
}

/**
 * The same, but undefined if there is no such resource.
 *
 * @throws ConfigurationError where it lies outside the folder or cannot be read
 */
export async function findResource(
  application: Pick<LoadableApplication, 'resources'>,
  name: string,
): Promise<string | undefined> {
  if (application.resources === undefined) return undefined;
  return existsSync(pathOf(fileURLToPath(application.resources), name)) ? readResource(application, name) : undefined;
}

// A leading slash means the root of the resources, as in a class path.
const pathOf = (folder: string, name: string): string => resolve(folder, name.replace(/^(classpath:)?\/*/, ''));

/** Bytes of a resource (report templates); otherwise as `readResource`. */
export async function readResourceBytes(
  application: Pick<LoadableApplication, 'resources'>,
  name: string,
): Promise<Uint8Array> {
  if (application.resources === undefined)
    throw new ConfigurationError([`The resource ${name} is named, but the application declares no "resources" folder`]);
  const folder = fileURLToPath(application.resources);
  const path = pathOf(folder, name);
  try {
    const [root, target] = await Promise.all([realpath(folder), realpath(path)]);
    if (!target.startsWith(root + sep)) throw new Error('it lies outside the resources folder');
    return await readFile(target);
  } catch (cause) {
    throw new ConfigurationError([
      `The resource ${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    ]);
  }
}
