import type { Id } from '@lintel/client';
import { useState } from 'react';
import { useChanges } from '../changes/use-changes.ts';
import type { EntityName } from '../register.ts';
import { idSegment } from './keys.ts';

/**
 * Returns whether an instance was changed or deleted elsewhere, and a function that sets it: to true after a read that
 * found another version, to false when the input begins with the stored values again.
 */
export function useChangedElsewhere(
  entity: EntityName,
  id: Id | undefined,
  isLive: boolean,
  onFeedError: ((error: unknown) => void) | undefined,
): readonly [isChanged: boolean, setChanged: (isChanged: boolean) => void] {
  const [isChanged, setChanged] = useState(false);
  useChanges(
    entity,
    (event) => {
      // After a reset it is unknown whether something was missed; a save would say it.
      if (event.change !== 'reset' && !event.isOwn && idSegment(event.id) === idSegment(id)) setChanged(true);
    },
    { enabled: isLive && id !== undefined, onError: onFeedError },
  );
  return [isChanged, setChanged];
}
