/** A record that was opened. */
export interface Recent {
  readonly entityName: string;
  /** As in the path of its form. */
  readonly id: string;
}

/** The key of the opened records in the `localStorage`; only their ids are kept, since names may be personal. */
const STORAGE_KEY = 'lintel-console.recent';
const MAX = 8;

/** Keeps a record as the last one that the user has opened on this device. */
export function keepRecent(username: string, { entityName, id }: Recent): void {
  const others = recentOf(username).filter((each) => each.entityName !== entityName || each.id !== id);
  const kept = { ...readAll(), [username]: [{ entityName, id }, ...others].slice(0, MAX) };
  localStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
}

/** The records that the user has opened on this device, the last one first. */
export function recentOf(username: string): readonly Recent[] {
  const found = readAll()[username];
  return Array.isArray(found) ? found.filter(isRecent).slice(0, MAX) : [];
}

const isRecent = (value: unknown): value is Recent => {
  const { entityName, id } = (value ?? {}) as Partial<Recent>;
  return typeof entityName === 'string' && typeof id === 'string';
};

/** Without records if another program has written something else. */
function readAll(): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
