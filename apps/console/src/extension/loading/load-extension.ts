import * as lintel from '@lintel/react';
import type { ConsoleExtension, ConsoleHost, ExtensionParts } from '@lintel/react/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as React from 'react';
import { useConsole } from '../use-console.ts';
import { checkParts } from './check-parts.ts';
import { HOST_COMPONENTS } from './host-components.tsx';
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

/** What the console shares with an extension. */
const createHost = (): ConsoleHost => ({
  React,
  query: { useMutation, useQuery, useQueryClient },
  lintel,
  components: HOST_COMPONENTS,
  useConsole,
});
