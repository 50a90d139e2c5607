import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import sales from '@lintel/example-sales';
import { type ExactObject, readExactJson } from '@lintel/query';
import { applicationRoles, createAccessDirectory } from '@lintel/security';
import { NO_REQUEST_LIMITS } from '../limits/no-request-limits.ts';
import { createCursorCodec } from '../paging/create-cursor-codec.ts';
import { NO_PREFERENCES } from '../preferences.ts';
import { createReadDependencies } from '../read-dependencies.ts';
import { type ReceivedRead, readEntities } from '../read-entities.ts';

const roles = applicationRoles(sales);
const unreachable = (): never => {
  throw new Error('Nothing is asked of the database');
};
const deps = createReadDependencies({
  currentRoles: () => roles,
  application: sales,
  accessOf: createAccessDirectory(() => roles),
  database: { query: unreachable, stream: unreachable },
  cursors: createCursorCodec({ secret: 'test', ids: { next: () => crypto.randomUUID() } }),
  limitsOf: () => NO_REQUEST_LIMITS,
  limits: { maxFetchSize: () => 10, inlineFetchPlansEnabled: true, maxBodyBytes: 1 },
});

const caller: Principal = {
  username: 'clerk',
  kind: 'user',
  userId: null,
  clientId: 'c',
  sessionId: 's',
  resourceRoles: ['rest-minimal', 'sales-clerk'],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  actingService: undefined,
};

/** What each mistake is answered with. */
const WRONG = {
  name: 'Entity not found',
  permission: 'Reading forbidden',
  id: 'Invalid entity ID',
  plan: 'Fetch plan not found',
  inlinePlan: 'Invalid FetchPlan definition',
  filter: 'Cannot parse entities filter',
  limit: 'The value of limit exceeded',
} as const;
type Mistake = keyof typeof WRONG;

const FILTERS = ['{', '{"conditions":[{}]}', '{"conditions":[{"property":"x","operator":"isNull"}]}'];
/** Its value is wrong, which is known last of all. */
const FILTER_OF_ORDER = '{"conditions":[{"property":"amount","operator":"=","value":"x"}]}';

const planOf = (mistakes: ReadonlySet<Mistake>): unknown =>
  mistakes.has('inlinePlan')
    ? { entity: 'sales_Nothing', properties: [] }
    : mistakes.has('plan')
      ? 'nothing'
      : undefined;

type Route = 'instance' | 'list' | 'search' | 'searchByBody' | 'count';

function request(route: Route, mistakes: ReadonlySet<Mistake>, filter: string): ReceivedRead {
  const isSearch = route.startsWith('search') || route === 'count';
  const operation = route === 'instance' || route === 'count' ? route : 'list';
  const plan = planOf(mistakes);
  const good = '{"conditions":[]}';
  const text = mistakes.has('filter') ? filter : good;
  const members = {
    ...(plan === undefined ? {} : { fetchPlan: plan }),
    ...(mistakes.has('limit') ? { limit: '11' } : {}),
    ...(isSearch ? { filter: text } : {}),
  };
  return {
    operation,
    entityName: mistakes.has('name')
      ? 'sales_Nothing'
      : mistakes.has('permission')
        ? 'sales_StockMovement'
        : 'sales_Order',
    ...(route === 'instance' ? { id: mistakes.has('id') ? 'x' : crypto.randomUUID() } : {}),
    ...(isSearch ? { filterRequired: true } : {}),
    isFromBody: route === 'searchByBody',
    members: readExactJson(JSON.stringify(members)) as ExactObject,
    preferences: NO_PREFERENCES,
  };
}

async function errorOf(received: ReceivedRead): Promise<string> {
  try {
    await readEntities(received, caller, deps, new AbortController().signal);
  } catch (error) {
    if (isPlatformError(error)) return error.error;
    throw error;
  }
  return 'none';
}

/** The orders of contract/reading.md#check-order, as they stand there. */
const ORDERS: readonly (readonly [Route, readonly Mistake[]])[] = [
  ['instance', ['name', 'permission', 'id', 'plan']],
  ['list', ['name', 'permission', 'plan', 'limit']],
  ['list', ['name', 'permission', 'inlinePlan', 'limit']],
  ['search', ['name', 'plan', 'permission', 'filter', 'limit']],
  ['searchByBody', ['name', 'plan', 'permission', 'filter', 'limit']],
  ['searchByBody', ['inlinePlan', 'name', 'permission', 'filter', 'limit']],
  ['count', ['name', 'permission', 'filter']],
];

/** Every set of mistakes. */
const setsOf = ([first, ...rest]: readonly Mistake[]): readonly (readonly Mistake[])[] =>
  first === undefined ? [[]] : setsOf(rest).flatMap((set) => [[first, ...set], set]);

describe.each(ORDERS)('%s: of several mistakes the first of %j is reported', (route, order) => {
  const sets = setsOf(order).filter((set) => set.length > 0);
  // Asserts contract/decisions.md#5, contract/errors.md#catalogue, contract/reading.md#check-order.
  test.each(sets.map((set) => [set]))('%j', async (mistakes) => {
    const first = mistakes[0];
    // A value can be wrong only for an attribute that exists.
    const isPlain = !mistakes.includes('name') && !mistakes.includes('permission');
    for (const filter of isPlain ? [...FILTERS, FILTER_OF_ORDER] : FILTERS)
      expect([filter, await errorOf(request(route, new Set(mistakes), filter))]).toEqual([
        filter,
        first === undefined ? 'none' : WRONG[first],
      ]);
  });
});

// Asserts contract/errors.md#catalogue, contract/reading.md#check-order.
test('mistakes that the contract does not name are reported after those that it names', async () => {
  const members = { sort: 'nothing', returnCount: 'maybe', cursor: 'x', limit: '11', filter: '{"conditions":[]}' };
  const received = { ...request('search', new Set(), ''), members };
  expect(await errorOf(received)).toBe(WRONG.limit);
  expect(await errorOf({ ...received, members: { ...members, limit: '1' } })).toBe('Invalid parameter value');
  expect(await errorOf({ ...received, members: { sort: 'nothing', filter: '{}' } })).toBe('Invalid sort');
});

test('what costs too much is refused at once: it is not looked at again in the order of the contract', async () => {
  let plans = 0;
  const limits = { ...NO_REQUEST_LIMITS, planNodes: 0 };
  const watched = {
    ...deps,
    limitsOf: () => limits,
    currentModel: () => ({
      ...sales.model,
      get fetchPlans() {
        plans += 1;
        return sales.model.fetchPlans;
      },
    }),
  };
  const received = {
    ...request('search', new Set(), ''),
    members: { filter: '{}', fetchPlan: '_base', sort: 'nothing' },
  };
  const read = readEntities(received, caller, watched, new AbortController().signal);
  await expect(read).rejects.toMatchObject({ code: 'REQ_COST_EXCEEDED' });
  expect(plans).toBe(1);
});
