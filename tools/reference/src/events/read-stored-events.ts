import { readdirSync, readFileSync } from 'node:fs';
import type { StoredEvent } from './stored-events.ts';

/** The stored events of a folder, by type. */
export function readStoredEvents(folder: URL): Readonly<Record<string, StoredEvent>> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as StoredEvent)
      .map((stored) => [stored.type, stored]),
  );
}
