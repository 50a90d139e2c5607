/** Key of all lists of an entity in the cache of TanStack Query, to invalidate them after a write. */
export const listsKey = (entity: string): readonly string[] => ['list', entity];

/** Key of an instance in the cache, as `useInstance` reads it. */
export const instanceKey = (entity: string, id: unknown): readonly unknown[] => ['instance', entity, idText(id)];

/** The text of an id: that of an id of several attributes is its JSON. */
export const idText = (id: unknown): string =>
  typeof id === 'object' && id !== null ? JSON.stringify(id) : String(id);
