import sales from '@lintel/example-sales';
import { type ExactObject, readExactJson } from '@lintel/query';
import {
  createCursorCodec,
  createReadDependencies,
  NO_PREFERENCES,
  NO_REQUEST_LIMITS,
  readEntities,
} from '@lintel/reading';
import { applicationRoles, createAccessDirectory } from '@lintel/security';
import { callerWith } from '../explained-reads.ts';

/** Number of iterations over a whole map of the model. */
let walks = 0;
const WALKS: ReadonlySet<unknown> = new Set(['keys', 'values', 'entries', 'forEach', Symbol.iterator]);

/** A copy of the map that counts iterations. */
const watched = <M extends ReadonlyMap<string, unknown>>(map: M): M =>
  new Proxy(map, {
    get(target, name) {
      if (WALKS.has(name)) walks += 1;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

const { model } = sales;
const application = {
  ...sales,
  model: {
    ...model,
    entities: watched(model.entities),
    enums: watched(model.enums),
    fetchPlans: watched(model.fetchPlans),
  },
};
const roles = applicationRoles(sales);
const deps = createReadDependencies({
  application,
  currentRoles: () => roles,
  accessOf: createAccessDirectory(() => roles),
  database: {
    query: async () => [],
    async *stream() {},
  },
  cursors: createCursorCodec({ secret: 'test', ids: { next: () => crypto.randomUUID() } }),
  limitsOf: () => NO_REQUEST_LIMITS,
  limits: { maxFetchSize: () => 100, inlineFetchPlansEnabled: true, maxBodyBytes: 1 },
});

const CLERK = callerWith({
  resourceRoles: ['rest-minimal', 'sales-clerk'],
  rowLevelRoles: ['own-region'],
  attributes: { country: 'DE' },
});

async function read(entityName: string, members: object): Promise<number> {
  const before = walks;
  const request = {
    operation: 'list',
    entityName,
    isFromBody: false,
    members: readExactJson(JSON.stringify(members)) as ExactObject,
    preferences: NO_PREFERENCES,
  } as const;
  await readEntities(request, CLERK, deps, new AbortController().signal);
  return walks - before;
}

test('no request iterates over the whole model: its cost does not grow with the model', async () => {
  const atStart = walks;
  expect([...application.model.entities.keys()]).not.toEqual([]);
  expect(walks).toBe(atStart + 1);
  const plan = {
    entity: 'sales_Order',
    properties: ['number', { name: 'lines', fetchPlan: { properties: ['product'] } }],
  };
  const members = (status: string, limit: number) => ({
    filter: { conditions: [{ property: 'status', operator: '=', value: status }] },
    ...{ sort: '-date,customer', limit, fetchPlan: plan },
  });
  // The first request of its shape is compiled.
  expect(await read('sales_Order', members('NEW', 5))).toBe(0);
  expect(await read('sales_Order', members('SHIPPED', 7))).toBe(0);
});
