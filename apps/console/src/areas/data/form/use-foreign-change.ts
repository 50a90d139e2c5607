import { useEffect, useRef, useState } from 'react';
import { useModel } from '../../../model/model-provider.tsx';
import { idSegment } from '../instance-path.ts';

/** A response to a write of this page and its change in the feed arrive in any order. */
const OWN_CHANGE_MS = 3_000;

/**
 * Whether somebody else has changed the instance while it is shown, from the feed of changes. Where the user has no
 * feed, a save still finds the change.
 */
export function useForeignChange(entity: string, id: string | undefined, isSaving: boolean): boolean {
  const { client } = useModel();
  const [isForeign, setForeign] = useState(false);
  const savedAt = useRef(0);
  if (isSaving) savedAt.current = Date.now();
  useEffect(() => {
    if (id === undefined) return undefined;
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const change of client.changes(entity, { signal: leaving.signal })) {
        if (change.change === 'reset' || idSegment(change.id) !== id) continue;
        if (Date.now() - savedAt.current > OWN_CHANGE_MS) setForeign(true);
      }
    };
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) console.info('No feed of changes:', error);
    });
    return () => leaving.abort();
  }, [client, entity, id]);
  return isForeign;
}
