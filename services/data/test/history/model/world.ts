import { bindApplication } from '@lintel/application';
import { type DataFixture, startData, type TestResponse } from '../../data-fixture.ts';
import { LIGHT, recordedApplication } from './application.ts';

/** A value of the API, in a form that does not depend on the order of members and rows. */
export type Tree = { readonly [name: string]: unknown };

/** Instances by entity and id: what an unrestricted caller reads at a moment. */
export type World = ReadonlyMap<string, Tree>;

export const ROOTS = ['m_Document', 'm_Invoice', 'm_Asset', 'm_Vehicle'] as const;
export type Root = (typeof ROOTS)[number];

const ASSET = ['number', 'weight'];
/** The entities with the dynamic attributes `+color` and `+marks`, which their descendants have as well. */
const DYNAMIC: readonly Root[] = ['m_Document', 'm_Asset'];
const DOCUMENT = [
  ...ASSET,
  'tags',
  { name: 'keeper', fetchPlan: { properties: ['id'] } },
  { name: 'labels', fetchPlan: { properties: ['id'] } },
  { name: 'cover', fetchPlan: { properties: ['title'] } },
  {
    name: 'lines',
    fetchPlan: { properties: ['quantity', { name: 'notes', fetchPlan: { properties: ['text'] } }] },
  },
];
const PROPERTIES: Readonly<Record<Root, readonly unknown[]>> = {
  m_Document: DOCUMENT,
  m_Invoice: [...DOCUMENT, 'amount'],
  m_Asset: ASSET,
  m_Vehicle: [...ASSET, 'plate', { name: 'wheels', fetchPlan: { properties: ['size'] } }],
};
export const planOf = (entity: Root): string =>
  encodeURIComponent(JSON.stringify({ entity, properties: PROPERTIES[entity] }));

const inOrder = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Members in the order of their names and rows in the order of their ids, without what reads add, attributes of the keeper, and empty values. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical).toSorted(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name, own]) => !name.startsWith('_') && !isEmpty(own))
    .map(([name, own]) => [name, canonical(name === 'keeper' ? { id: (own as Tree)['id'] } : own)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

export const isLight = (tree: Tree | undefined): boolean =>
  tree !== undefined && typeof tree['weight'] === 'number' && tree['weight'] <= LIGHT;

export type Caller = 'admin' | 'light';
type Headers = Readonly<Record<string, string>>;

/** The data service of the application, its callers, and what they read. */
export interface RecordedData {
  readonly data: DataFixture;
  send(user: Caller, method: string, path: string, body?: unknown, headers?: Headers): Promise<TestResponse>;
  /** All instances that exist. */
  readWorld(): Promise<World>;
  /** Deletes all instances, except for assets to which a document refers, and returns what is left. */
  emptyWorld(): Promise<World>;
  /** A point in time after everything that was written, and before everything that follows. */
  nextMoment(): Promise<string>;
  readonly labels: readonly string[];
  close(): Promise<void>;
}

export async function startRecordedData(): Promise<RecordedData> {
  const users = {
    admin: { resourceRoles: ['system-full-access'] },
    light: { resourceRoles: ['system-full-access'], rowLevelRoles: ['light'] },
  };
  // Children that were deleted with their owner have its time.
  const clock = { now: Date.now };
  const data = await startData(bindApplication(recordedApplication, []), users, {}, clock);
  const send: RecordedData['send'] = (user, method, path, body, headers) =>
    data.send(user, method, path, body, headers);
  const labels: string[] = [];
  for (const name of ['red', 'green', 'blue'])
    labels.push((await send('admin', 'POST', '/entities/m_Label', { name })).json().id);
  for (const entityType of DYNAMIC) {
    const categoryAttrs = [
      { name: 'color', code: 'color', dataType: 'STRING' },
      { name: 'marks', code: 'marks', dataType: 'INTEGER', isCollection: true },
    ];
    const category = { name: `More of ${entityType}`, entityType, categoryAttrs };
    const { status, text } = await send('admin', 'POST', '/entities/dynat_Category', category);
    if (status !== 201) throw new Error(text);
  }
  const recorded: RecordedData = {
    data,
    send,
    labels,
    async emptyWorld() {
      for (const name of (await recorded.readWorld()).keys()) await send('admin', 'DELETE', `/entities/${name}`);
      return recorded.readWorld();
    },
    async readWorld() {
      const world = new Map<string, Tree>();
      // An instance of a descendant is read with all of its attributes.
      for (const entity of ROOTS) {
        const plan = `dynamicAttributes=true&fetchPlan=${planOf(entity)}`;
        const response = await send('admin', 'GET', `/entities/${entity}?limit=1000&${plan}`);
        for (const row of response.json() as Tree[])
          if (row['_entityName'] === entity) world.set(`${entity}/${row['id']}`, canonical(row) as Tree);
      }
      return world;
    },
    async nextMoment() {
      const [row] = await data.query(
        `SELECT to_char(date_trunc('milliseconds', clock_timestamp() AT TIME ZONE 'UTC') + interval '1 millisecond',
           'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS moment, pg_sleep(0.003)`,
      );
      return String(row?.['moment']);
    },
    close: () => data.close(),
  };
  return recorded;
}
