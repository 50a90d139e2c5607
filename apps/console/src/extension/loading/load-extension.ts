import type { ConsoleExtension, ExtensionParts } from '@lintel/react/console';
import { checkParts } from './check-parts.ts';
import { createHost } from './create-host.ts';
import { resolveModule } from './resolve-module.ts';

/**
 * Loads the module of the extension and calls its function.
 *
 * @throws Error that says what is wrong with it
 */
export async function loadExtension(address: string): Promise<ExtensionParts> {
  const url = resolveModule(address, document.baseURI);
  const loaded = (await import(/* @vite-ignore */ url)) as { readonly default?: ConsoleExtension };
  if (typeof loaded.default !== 'function') throw new Error('The default export of the extension is no function');
  return checkParts(await loaded.default(createHost()));
}
