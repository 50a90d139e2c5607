import { storedMembers } from '../stored-members.ts';

/** A record that the user has opened or marked. */
export interface KeptRecord {
  readonly entityName: string;
  /** As in the path of its form; of a list "". */
  readonly id: string;
}

/** `recent`: what was opened last; `favourites`: what the user has marked. */
export type Kept = 'recent' | 'favourites';

const MAX = { recent: 8, favourites: 30 } as const;

/** The key in the `localStorage`; only ids are kept, since names may be personal. */
const keyOf = (kind: Kept): string => `lintel-console.${kind}`;

const isSame = (one: KeptRecord, other: KeptRecord): boolean =>
  one.entityName === other.entityName && one.id === other.id;

/** Keeps a record as the last one of the user on this device. */
export function keepRecord(kind: Kept, username: string, { entityName, id }: KeptRecord): void {
  const record = { entityName, id };
  store(kind, username, [record, ...keptRecords(kind, username).filter((each) => !isSame(each, record))]);
}

/** Removes a record of the user on this device. */
export const forgetRecord = (kind: Kept, username: string, record: KeptRecord): void =>
  store(
    kind,
    username,
    keptRecords(kind, username).filter((each) => !isSame(each, record)),
  );

/** The records of the user on this device, the last one first. */
export function keptRecords(kind: Kept, username: string): readonly KeptRecord[] {
  const found = storedMembers(keyOf(kind))[username];
  return Array.isArray(found) ? found.filter(isRecord).slice(0, MAX[kind]) : [];
}

const store = (kind: Kept, username: string, records: readonly KeptRecord[]): void =>
  localStorage.setItem(
    keyOf(kind),
    JSON.stringify({ ...storedMembers(keyOf(kind)), [username]: records.slice(0, MAX[kind]) }),
  );

const isRecord = (value: unknown): value is KeptRecord => {
  const { entityName, id } = (value ?? {}) as Partial<KeptRecord>;
  return typeof entityName === 'string' && typeof id === 'string';
};
