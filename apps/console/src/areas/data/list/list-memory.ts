import { storedMembers } from '../stored-members.ts';
import type { Search } from './list-state.ts';

/** The key of the columns and sorts in the `localStorage`. */
const STORAGE_KEY = 'lintel-console.lists';
/** Values of filters may be personal: they are forgotten with the page. */
const filters = new Map<string, unknown>();

type Lists = Readonly<Record<string, Search>>;

/** Keeps columns and sort of a list for the user on this device, and its filter until the page is closed. */
export function keepList(username: string, entityName: string, { filter, columns, sort }: Search): void {
  const key = keyOf(username, entityName);
  if (filter === undefined) filters.delete(key);
  else filters.set(key, filter);
  const { [key]: former, ...others } = readLists();
  const kept = { ...(columns !== undefined && { columns }), ...(sort !== undefined && { sort }) };
  const isEmpty = Object.keys(kept).length === 0;
  if (isEmpty && former === undefined) return;
  const lists: Lists = isEmpty ? others : { ...others, [key]: kept };
  if (Object.keys(lists).length === 0) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, JSON.stringify(lists));
}

/** The parameters with which a list is opened as the user has left it. */
export function keptList(username: string, entityName: string): Search {
  const key = keyOf(username, entityName);
  const filter = filters.get(key);
  return { ...(filter !== undefined && { filter }), ...readLists()[key] };
}

/** Paths of the forms of the rows that a list has shown last. */
let rows: readonly string[] = [];

/** Keeps the paths of the forms of the rows that are shown, until another list is shown. */
export function keepRows(paths: readonly string[]): void {
  rows = paths;
}

/** The paths of the forms before and after this one, in the list that was shown last. */
export function neighboursOf(path: string): {
  readonly previous: string | undefined;
  readonly next: string | undefined;
} {
  const at = rows.indexOf(path);
  return { previous: at < 0 ? undefined : rows[at - 1], next: at < 0 ? undefined : rows[at + 1] };
}

const keyOf = (username: string, entityName: string): string => `${entityName} ${username}`;

const readLists = (): Lists => storedMembers(STORAGE_KEY) as Lists;
