import { type EntityListener, entityListener } from '@lintel/application';
import { validationError } from '@lintel/errors';
import { type DataFixture, startData } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

const item = (path: string) => ({ message: 'refused', messageTemplate: 'refused', path, invalidValue: null });

/** A stored instance that is not part of a request. */
let product: unknown;

const LISTENERS: readonly EntityListener[] = [
  entityListener({
    entity: 't_Discount',
    beforeSave: async ({ after }, { data }) => {
      if (Number(after?.['percent']) === 1) throw validationError([item('percent'), item('')]);
      if (Number(after?.['percent']) === 2) await data.update('t_Product', product, { name: null });
    },
    afterSave: async ({ after }) => {
      if (Number(after?.['percent']) === 3) throw validationError([item('percent')]);
    },
  }),
];

let data: DataFixture;
beforeAll(async () => {
  data = await startData(
    { ...shop, listeners: [...(shop.listeners ?? []), ...LISTENERS] },
    { admin: { resourceRoles: ['system-full-access'] } },
  );
});
afterAll(() => data?.close());

const send = (method: string, path: string, body: unknown) => data.send('admin', method, `/entities/${path}`, body);
/** The paths of the violations in the refusal of a request. */
const pathsOf = async (method: string, path: string, body: unknown) => {
  const { status, json } = await send(method, path, body);
  return [status, json().map((one: { path: string }) => one.path)];
};
const policy = (values: object) => ({ type: 'entity', resource: 't_Tag', action: 'read', effect: 'allow', ...values });
const role = (code: string, ...resourcePolicies: readonly object[]) => ({ name: code, code, resourcePolicies });
const order = (number: string, percent: number) => ({
  number,
  lines: [{ quantity: 1 }, { quantity: 2, discounts: [{ percent }] }],
});

describe('violations found by a listener of the platform have a path from the root of the request', () => {
  // Asserts contract/decisions.md#50, contract/writing.md#validation.
  test('in a new role with policies, alone and in a batch', async () => {
    const denying = role('denying', policy({}), policy({ effect: 'deny' }));
    expect(await pathsOf('POST', 'sec_ResourceRole', denying)).toEqual([400, ['resourcePolicies[1].effect']]);
    expect(await pathsOf('POST', 'sec_ResourceRole', [role('fine', policy({})), denying])).toEqual([
      400,
      ['entities[1].resourcePolicies[1].effect'],
    ]);
    const saved = await send('POST', 'sec_ResourceRole', role('saved', policy({})));
    expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
    const update = [{ id: saved.json().id, resourcePolicies: [policy({ effect: 'deny' })] }];
    expect(await pathsOf('PUT', 'sec_ResourceRole', update)).toEqual([400, ['entities[0].resourcePolicies[0].effect']]);
  });

  // Asserts contract/decisions.md#50, contract/writing.md#validation.
  test('in an assignment, in a report and in a definition of dynamic attributes', async () => {
    const assignment = { username: 'ada', roleCode: 'nix', roleType: 'resource' };
    expect(await pathsOf('POST', 'sec_RoleAssignment', assignment)).toEqual([400, ['roleCode', 'username']]);
    expect(await pathsOf('POST', 'sec_RoleAssignment', [assignment])).toEqual([
      400,
      ['entities[0].roleCode', 'entities[0].username'],
    ]);
    const report = { name: 'r', code: 'r', definition: 'no JSON' };
    expect(await pathsOf('POST', 'report_Report', [report])).toEqual([400, ['entities[0].definition']]);
    const categoryAttrs = [{ name: 'a', code: 'a', dataType: 'ENTITY', entityClass: 'nix' }];
    expect(await pathsOf('POST', 'dynat_Category', { name: 'c', entityType: 't_Tag', categoryAttrs })).toEqual([
      400,
      ['categoryAttrs[0].entityClass'],
    ]);
  });
});

describe('violations found by a listener of the application', () => {
  beforeAll(async () => {
    const { id } = (await send('POST', 't_Customer', { name: 'x' })).json();
    customer = { id };
    product = (await send('POST', 't_Product', { name: 'x' })).json().id;
  });
  let customer = {};

  // Asserts contract/decisions.md#50, contract/writing.md#validation.
  test('have the path of the instance, before and after it is saved', async () => {
    for (const [percent, below] of [
      [1, ['.percent', '']],
      [3, ['.percent']],
    ] as const) {
      const body = { ...order(`A${percent}`, percent), customer };
      const path = 'lines[1].discounts[0]';
      expect(await pathsOf('POST', 't_Order', body)).toEqual([400, below.map((end) => `${path}${end}`)]);
      expect(await pathsOf('POST', 't_Order', [body])).toEqual([400, below.map((end) => `entities[0].${path}${end}`)]);
    }
  });

  // Asserts contract/decisions.md#50, contract/writing.md#validation.
  test('in another instance that the listener saves have a path from that instance', async () => {
    expect(await pathsOf('POST', 't_Order', [{ ...order('B', 2), customer }])).toEqual([400, ['name']]);
  });
});
