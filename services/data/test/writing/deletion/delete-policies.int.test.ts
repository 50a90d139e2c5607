import { defineApplication } from '@lintel/application';
import { manyToMany, softDeletedEntity, standardEntity, string, toMany, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../../data-fixture.ts';

/** Every policy at both ends of a reference, for soft-deleted roots (`d_Soft…`) and removed roots (`d_Gone…`). */
const attributesOf = (prefix: string) => ({
  name: string(20),
  guarded: toMany(`d_${prefix}Member`, 'guard').onDelete('DENY'),
  loose: toMany(`d_${prefix}Member`, 'loose').onDelete('UNLINK'),
  taken: toMany(`d_${prefix}Member`, 'taker').onDelete('CASCADE'),
  part: toOne('d_Part').onDelete('CASCADE'),
  needed: toOne('d_Part').onDelete('DENY'),
  freed: toOne('d_Part').onDelete('UNLINK'),
  labels: manyToMany('d_Label').onDelete('UNLINK'),
  locks: manyToMany('d_Label').onDelete('DENY'),
});
const memberOf = (prefix: string) => ({
  name: string(20),
  guard: toOne(`d_${prefix}Root`),
  loose: toOne(`d_${prefix}Root`),
  taker: toOne(`d_${prefix}Root`),
});
const policies = defineApplication({
  id: 'd',
  name: 'Delete policies',
  entities: [
    softDeletedEntity('d_Part', { attributes: { name: string(20) } }),
    standardEntity('d_Label', { attributes: { name: string(20) } }),
    softDeletedEntity('d_SoftRoot', { attributes: attributesOf('Soft') }),
    softDeletedEntity('d_SoftMember', { attributes: memberOf('Soft') }),
    standardEntity('d_GoneRoot', { attributes: attributesOf('Gone') }),
    standardEntity('d_GoneMember', { attributes: memberOf('Gone') }),
    standardEntity('d_Base', { abstract: true, attributes: { name: string(20) } }),
    standardEntity('d_Leaf', { extends: 'd_Base', attributes: { size: string(5) } }),
    standardEntity('d_Watcher', {
      attributes: {
        base: toOne('d_Base').onTargetDelete('DENY'),
        bases: manyToMany('d_Base').onTargetDelete('UNLINK'),
        fixed: manyToMany('d_Base').onTargetDelete('DENY'),
      },
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(policies, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);
const create = async (entity: string, body: unknown = {}): Promise<string> => {
  const response = await send('POST', entity, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json().id;
};
const isThere = async (entity: string, id: string) => (await send('GET', `${entity}/${id}`)).status === 200;

describe.each(['Soft', 'Gone'])(
  'policies of the root itself (contract/writing.md#soft-deletion): d_%sRoot',
  (prefix) => {
    const root = `d_${prefix}Root`;
    const member = `d_${prefix}Member`;

    // Asserts contract/writing.md#soft-deletion.
    test('DENY with a member, a target or a link: 409, until there is none', async () => {
      const cases = [
        [{ guarded: [{ id: await create(member) }] }, { guarded: [] }, member],
        [{ needed: { id: await create('d_Part') } }, { needed: null }, 'd_Part'],
        [{ locks: [{ id: await create('d_Label') }] }, { locks: [] }, 'd_Label'],
      ] as const;
      for (const [values, cleared, from] of cases) {
        const id = await create(root, values);
        const refused = await send('DELETE', `${root}/${id}`);
        expect([refused.status, refused.json()]).toEqual([
          409,
          {
            error: 'Delete policy violation',
            details: `Unable to delete ${root} because there are references from ${from}`,
          },
        ]);
        expect((await send('PUT', `${root}/${id}`, cleared)).status).toBe(200);
        expect((await send('DELETE', `${root}/${id}`)).status).toBe(204);
      }
    });

    // Asserts contract/writing.md#soft-deletion.
    test('UNLINK keeps the members without the link', async () => {
      const [one, label, part] = [await create(member), await create('d_Label'), await create('d_Part')];
      const id = await create(root, { loose: [{ id: one }], labels: [{ id: label }], freed: { id: part } });
      expect((await send('DELETE', `${root}/${id}`)).status).toBe(204);
      expect([await isThere(member, one), await isThere('d_Label', label), await isThere('d_Part', part)]).toEqual([
        true,
        true,
        true,
      ]);
      const table = `d.${prefix.toLowerCase()}`;
      expect(await data.query(`SELECT loose_id FROM ${table}_member WHERE id = $1`, [one])).toEqual([
        { loose_id: null },
      ]);
      expect(await data.query(`SELECT 1 FROM ${table}_root_labels_link WHERE label_id = $1`, [label])).toEqual([]);
    });

    // Asserts contract/decisions.md#17, contract/writing.md#soft-deletion.
    test('CASCADE deletes members and targets, too', async () => {
      const [one, part] = [await create(member), await create('d_Part')];
      const id = await create(root, { taken: [{ id: one }], part: { id: part } });
      expect((await send('DELETE', root, [id])).status).toBe(204);
      expect([await isThere(member, one), await isThere('d_Part', part)]).toEqual([false, false]);
    });
  },
);

describe('policies of referring entities', () => {
  // Asserts contract/writing.md#soft-deletion.
  test('apply to descendants of the target entity', async () => {
    const leaf = await create('d_Leaf', { name: 'x' });
    const watcher = await create('d_Watcher', { base: { id: leaf } });
    for (const entity of ['d_Leaf', 'd_Base']) {
      const refused = await send('DELETE', `${entity}/${leaf}`);
      expect([refused.status, refused.json().details]).toEqual([
        409,
        'Unable to delete d_Leaf because there are references from d_Watcher',
      ]);
    }
    await send('PUT', `d_Watcher/${watcher}`, { base: null, fixed: [{ id: leaf }] });
    expect((await send('DELETE', `d_Leaf/${leaf}`)).status).toBe(409);
    await send('PUT', `d_Watcher/${watcher}`, { fixed: [], bases: [{ id: leaf }] });
    expect((await send('DELETE', `d_Leaf/${leaf}`)).status).toBe(204);
    expect(await isThere('d_Watcher', watcher)).toBe(true);
  });

  // Asserts contract/writing.md#soft-deletion.
  test('the same policies apply to children that an update removes and to a batch', async () => {
    const leaf = await create('d_Leaf', { name: 'x' });
    await create('d_Watcher', { base: { id: leaf } });
    const other = await create('d_Leaf', { name: 'y' });
    expect((await send('DELETE', 'd_Leaf', [other, leaf])).status).toBe(409);
    expect(await isThere('d_Leaf', other)).toBe(true);
  });
});
