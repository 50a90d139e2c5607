import { useQueryClient } from '@tanstack/react-query';
import { type ChangesOptions, useChanges } from '../changes/use-changes.ts';
import type { EntityName } from '../register.ts';
import { instanceKey, listsKey } from './keys.ts';

/** Reads lists and instances of an entity again as soon as somebody has changed it. */
export function useLiveEntity(entity: EntityName, options?: ChangesOptions): void {
  const queries = useQueryClient();
  useChanges(
    entity,
    (change) => {
      void queries.invalidateQueries({ queryKey: listsKey(entity) });
      const key = change.change === 'reset' ? ['instance', entity] : instanceKey(entity, change.id);
      void queries.invalidateQueries({ queryKey: key });
    },
    options,
  );
}
