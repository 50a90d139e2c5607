import { buildModel, entityOf, standardEntity, toMany, toOne, toOneInverse } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { writeModelOf } from '../model/write-model.ts';
import type { Value } from '../values/value.ts';
import { flagReplaced } from './flag-replaced.ts';
import type { InstanceNode } from './instance-node.ts';
import { initialValues } from './merge-values.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Team', { attributes: { members: toMany('t_Member', 'team') } }),
    standardEntity('t_Member', { attributes: { team: toOne('t_Team'), desk: toOneInverse('t_Desk', 'member') } }),
    standardEntity('t_Desk', { attributes: { member: toOne('t_Member').unique() } }),
  ],
});

interface NodeOptions {
  readonly kind?: InstanceNode['kind'];
  /** Names of the attributes that the request names. */
  readonly sent?: readonly string[];
  /** Reference to the association's other end, before and after. */
  readonly link?: readonly [path: string, from: string | null, to: string | null];
}

function node(entity: string, id: string, { kind = 'update', sent = [], link }: NodeOptions = {}): InstanceNode {
  const layout = writeModelOf(model).of(entityOf(model, entity));
  const initial = initialValues(layout, canonicalKey([id]));
  const to = (key: string | null): Value => (key === null ? null : { key: canonicalKey([key]) });
  return {
    entity: layout.entity,
    layout,
    key: canonicalKey([id]),
    kind,
    path: '',
    before: kind === 'create' ? undefined : new Map([...initial, ...(link ? [[link[0], to(link[1])] as const] : [])]),
    after: new Map([...initial, ...(link ? [[link[0], to(link[2])] as const] : [])]),
    sent: new Map(sent.map((name) => [name, null])),
    children: new Map(),
  };
}
const replacedBy = async (...nodes: readonly InstanceNode[]) =>
  (await flagReplaced(writeModelOf(model), nodes)).map(({ key, replaced }) => `${key[0]}:${replaced?.join() ?? ''}`);

test('the instance that a member comes to has replaced its association, and so has the one that it leaves', async () => {
  expect(
    await replacedBy(
      node('t_Team', 'old', { sent: ['members'] }),
      node('t_Team', 'new', { sent: ['members'] }),
      node('t_Member', 'm', { link: ['team', 'old', 'new'] }),
    ),
  ).toEqual(['old:members', 'new:members', 'm:']);
});

test('an instance whose members stay has replaced nothing', async () => {
  expect(
    await replacedBy(
      node('t_Team', 'a', { sent: ['members'] }),
      node('t_Member', 'm', { link: ['team', 'b', 'c'] }),
      node('t_Member', 'n', { link: ['team', 'a', 'a'] }),
    ),
  ).toEqual(['a:', 'm:', 'n:']);
});

test('an association that the request does not name is not replaced by it', async () => {
  const nodes = [node('t_Team', 'a'), node('t_Member', 'm', { link: ['team', 'a', null] })];
  expect(await flagReplaced(writeModelOf(model), nodes)).toBe(nodes);
});

test('a new instance needs no mark', async () => {
  const created = node('t_Team', 'a', { kind: 'create', sent: ['members'] });
  expect(await replacedBy(created, node('t_Member', 'm', { link: ['team', null, 'a'] }))).toEqual(['a:', 'm:']);
});

test('the end of a 1:1 reference without a column is marked like a collection', async () => {
  expect(
    await replacedBy(node('t_Member', 'm', { sent: ['desk'] }), node('t_Desk', 'd', { link: ['member', null, 'm'] })),
  ).toEqual(['m:desk', 'd:']);
});
