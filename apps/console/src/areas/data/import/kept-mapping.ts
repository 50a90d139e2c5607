import { storedMembers } from '../stored-members.ts';

/** How the user has imported a table with these columns. */
export interface KeptMapping {
  /** The entity, and the names of the columns. */
  readonly table: string;
  /** Attributes by columns. */
  readonly columns: Readonly<Record<string, string | null>>;
  readonly key: string;
}

const STORAGE_KEY = 'lintel-console.imports';
/** Tables of one user. */
const MAX = 20;

/** Keeps how the user has imported a table, on this device; nothing is kept without room in its storage. */
export function keepMapping(username: string, mapping: KeptMapping): void {
  const kept = [mapping, ...mappingsOf(username).filter(({ table }) => table !== mapping.table)].slice(0, MAX);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...storedMembers(STORAGE_KEY), [username]: kept }));
  } catch {
    // The import has succeeded; its choices are only asked again.
  }
}

/** How the user has imported a table with the same columns last. */
export const keptMapping = (username: string, table: string): KeptMapping | undefined =>
  mappingsOf(username).find((each) => each.table === table);

function mappingsOf(username: string): readonly KeptMapping[] {
  const found = storedMembers(STORAGE_KEY)[username];
  return Array.isArray(found) ? found.filter(isMapping) : [];
}

const isMapping = (value: unknown): value is KeptMapping => {
  const { table, columns, key } = (value ?? {}) as Partial<KeptMapping>;
  return typeof table === 'string' && typeof key === 'string' && typeof columns === 'object' && columns !== null;
};
