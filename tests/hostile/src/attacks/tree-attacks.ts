import type { Attack } from './attack.ts';
import { filterOf } from './request-shapes.ts';

/** Each node is the parent of the next one. */
const LEVELS = 100_000;
const [below, above] = [
  { property: 'number', operator: 'under', value: 1 },
  { property: 'number', operator: 'above', value: LEVELS },
];

const ofTree = (title: string, statuses: Attack['statuses'], run: Attack['run']): Attack => ({
  finding: 'H6',
  title: `a tree of 100,000 levels: ${title}`,
  sender: 'admin',
  prepare: async ({ query }) => {
    await query(`INSERT INTO hostile.node SELECT level, NULLIF(level - 1, 0) FROM generate_series(1, ${LEVELS}) level`);
  },
  run,
  cleanUp: async ({ query }) => {
    await query('TRUNCATE hostile.node');
  },
  statuses,
});

const count = (conditions: readonly object[]) => ({ filter: filterOf(conditions), aggregates: { n: { count: '*' } } });

const post =
  (path: string, body: object): Attack['run'] =>
  async ({ send }) => [await send({ method: 'POST', path, body })];

/** The deepest tree (H6). */
export const TREE_ATTACKS: readonly Attack[] = [
  ofTree('all below the root are counted', [200], post('/rest/aggregates/hostile_Node', count([below]))),
  ofTree('all above the deepest node are counted', [200], post('/rest/aggregates/hostile_Node', count([above]))),
  ofTree(
    'all below a number of nodes, in ten conditions, are counted in time, or refused',
    [200, 400, 503],
    post(
      '/rest/aggregates/hostile_Node',
      count([{ group: 'OR', conditions: Array.from({ length: 10 }, (_, at) => ({ ...below, value: 1 + at })) }]),
    ),
  ),
  ofTree(
    'nodes are searched by the branches of their children',
    [200],
    post('/rest/entities/hostile_Node/search', {
      filter: filterOf([{ count: 'children', operator: '=', value: 1, conditions: [below, above] }]),
      limit: 1_000,
    }),
  ),
  ofTree(
    'children of 1,000 levels in a plan are refused',
    [400],
    post('/rest/entities/hostile_Node/search', {
      filter: filterOf([below]),
      fetchPlan: { entity: 'hostile_Node', properties: [{ name: 'children', depth: 1_000 }] },
    }),
  ),
  ofTree('a cycle of all nodes is refused', [400], async ({ send }) => [
    await send({ method: 'PUT', path: '/rest/entities/hostile_Node/1', body: { parent: { number: LEVELS } } }),
  ]),
];
