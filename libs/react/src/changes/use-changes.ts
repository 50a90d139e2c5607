import type { Change, Client } from '@lintel/client';
import { useEffect, useEffectEvent } from 'react';
import { useClient } from '../model/lintel-provider.ts';
import type { EntityName } from '../register.ts';

/** How a feed is followed. */
export interface ChangesOptions {
  /** Whether it is followed now; true by default. */
  readonly enabled?: boolean | undefined;
  /** Called if the user may not have the feed. A lost connection is no error: the feed connects again. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Calls the function for each committed change of an entity while the component is shown. */
export function useChanges(
  entity: EntityName,
  onChange: (change: Change) => void,
  { enabled = true, onError }: ChangesOptions = {},
): void {
  const client = useClient() as unknown as Client;
  const changed = useEffectEvent(onChange);
  const failed = useEffectEvent((error: unknown) => onError?.(error));
  useEffect(() => {
    if (!enabled) return undefined;
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const change of client.changes(entity, { signal: leaving.signal })) changed(change);
    };
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) failed(error);
    });
    return () => leaving.abort();
  }, [client, entity, enabled]);
}
