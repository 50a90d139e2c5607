/** Key of all lists of an entity in the cache of TanStack Query, to invalidate them after a write. */
export const listsKey = (entity: string): readonly string[] => ['list', entity];

/** Key of an instance in the cache, as `useInstance` reads it. */
export const instanceKey = (entity: string, id: unknown): readonly unknown[] => ['instance', entity, idSegment(id)];

/** The segment of a path that stands for the id of an instance; an id of several attributes is coded as in the API. */
export const idSegment = (id: unknown): string =>
  typeof id === 'object' && id !== null ? base64Url(JSON.stringify(id)) : String(id);

const base64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
