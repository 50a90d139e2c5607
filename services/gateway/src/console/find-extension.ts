import { pathToFileURL } from 'node:url';

/**
 * The folder of the extension of the console.
 *
 * @param folder the value of `svc.console.extension`
 * @param resources of the application
 * @returns undefined without an extension
 */
export function findExtension(folder: string | undefined, resources: URL | undefined): URL | undefined {
  if (folder === undefined || folder === '') return undefined;
  const base = resources ?? pathToFileURL(`${process.cwd()}/`);
  return new URL(`${folder.replace(/\/+$/, '')}/`, base);
}
