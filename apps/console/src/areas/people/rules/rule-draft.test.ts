import type { EntityInfo } from '@lintel/client';
import type { PathModel } from '@lintel/react';
import { draftOfRule } from './rule-draft.ts';
import { textOfRule } from './rule-text.ts';

const attribute = (name: string, attributeType: string, type: string, cardinality = 'NONE') => ({
  ...{ name, attributeType, type, cardinality, mandatory: false, readOnly: false, description: name },
  ...{ persistent: true, rules: [] },
});
const entity = (entityName: string, properties: readonly object[]) =>
  [entityName, { entityName, kind: 'entity', properties }] as unknown as [string, EntityInfo];
const model = {
  entities: new Map([
    entity('t_Order', [
      attribute('status', 'ENUM', 't.Status'),
      attribute('number', 'DATATYPE', 'string'),
      attribute('amount', 'DATATYPE', 'decimal'),
      attribute('paid', 'DATATYPE', 'boolean'),
      attribute('customer', 'ASSOCIATION', 't_Customer', 'MANY_TO_ONE'),
      attribute('lines', 'COMPOSITION', 't_Line', 'ONE_TO_MANY'),
    ]),
    entity('t_Customer', [attribute('id', 'DATATYPE', 'uuid'), attribute('name', 'DATATYPE', 'string')]),
    entity('t_Line', [attribute('quantity', 'DATATYPE', 'int'), attribute('note', 'DATATYPE', 'string')]),
  ]),
  captions: {},
  rights: { may: () => true, mayView: () => true },
  dynamicAttributes: new Map(),
} as unknown as PathModel;

const again = (text: string): string | undefined => {
  const draft = draftOfRule(text);
  return draft && textOfRule(model, 't_Order', draft);
};

test.each([
  "{E}.status <> 'CLOSED'",
  "{E}.status in ('NEW', 'CLOSED') and {E}.amount >= -12.50",
  '({E}.paid = true or {E}.customer is null) and {E}.number is not null',
  "{E}.customer.id = '0d000000-0000-4000-8000-000000000001'",
  '{E}.customer.name = :current_user_username',
  "lower({E}.number) like lower('%a\\%b''c%') escape '\\'",
  "lower({E}.customer.name) not like lower('%x%') escape '\\'",
  'not ({E}.paid = true or {E}.amount < 5)',
  'exists (select m1 from {E}.lines m1 where m1.quantity > 5 and m1.note is null)',
  "not exists (select m1 from {E}.lines m1 where lower(m1.note) like lower('a%') escape '\\')",
  'not exists (select m1 from {E}.lines m1 where not (m1.quantity > 5 and m1.quantity < 9))',
  'exists (select m1 from {E}.lines m1 where (m1.quantity = 1 or m1.quantity = 2))',
])('%s is built, and written as it was', (text) => {
  expect(again(text)).toBe(text);
});

test.each([
  '{E}.amount + 1 > 5',
  'exists (select l from t_Line l where l.order = {E})',
  "{E}.status <> 'CLOSED",
  "{E}.number like '%x'",
  '@today({E}.placedAt)',
  '{E}.amount > 5 order by 1',
  'x.amount > 5',
  '{E}.amount between 1 and 2',
])('%s stays a text', (text) => {
  expect(draftOfRule(text)).toBeUndefined();
});

test('a draft that is not complete, or that the language has no form for, has no text', () => {
  const condition = (path: string, operator: string, value: unknown) =>
    textOfRule(model, 't_Order', { key: 1, joined: 'AND', members: [{ key: 2, path, operator, value }] });
  expect(condition('', '=', undefined)).toBeUndefined();
  expect(condition('amount', '>', 'much')).toBeUndefined();
  expect(condition('status', '=', undefined)).toBeUndefined();
  expect(condition('number', '=', "' or {E}.paid = true or '")).toBe("{E}.number = ''' or {E}.paid = true or '''");
});
