import { ForbiddenError } from '@lintel/client';

/** A right on an entity, or a specific policy, that a refusal is about. */
export type RefusedRight =
  | {
      readonly entityName: string;
      readonly action: 'create' | 'read' | 'update' | 'delete';
    }
  | { readonly specific: string };

const ACTIONS = { Reading: 'read', Creation: 'create', Updating: 'update', Deletion: 'delete' } as const;
const REFUSAL = /^(Reading|Creation|Updating|Deletion) of the (\w+) is forbidden/;

/** The right that the service says is missing; undefined where its refusal is about something else. */
export function refusedRight(error: unknown): RefusedRight | undefined {
  if (!(error instanceof ForbiddenError)) return undefined;
  if (error.neededPolicy !== undefined) return { specific: error.neededPolicy };
  const [, word, entityName] = REFUSAL.exec(error.details) ?? [];
  return entityName === undefined ? undefined : { entityName, action: ACTIONS[word as keyof typeof ACTIONS] };
}
