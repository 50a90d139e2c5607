/** A right on an entity that a refusal is about. */
export interface RefusedRight {
  readonly entityName: string;
  readonly action: 'create' | 'read' | 'update' | 'delete';
}

const ACTIONS = { Reading: 'read', Creation: 'create', Updating: 'update', Deletion: 'delete' } as const;
const REFUSAL = /^(Reading|Creation|Updating|Deletion) of the (\w+) is forbidden/;

/** The right that the service says is missing; undefined where its words are about something else. */
export function refusedRight(details: string): RefusedRight | undefined {
  const [, word, entityName] = REFUSAL.exec(details) ?? [];
  return entityName === undefined ? undefined : { entityName, action: ACTIONS[word as keyof typeof ACTIONS] };
}
