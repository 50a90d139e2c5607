import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';
import { formAttributesOf, groupsOf } from './form-attributes.ts';
import { formPlanOf } from './form-plan.ts';

const attribute = (name: string, more: Partial<DetailedAttributeInfo> = {}) =>
  ({
    ...{ name, type: 'string', attributeType: 'DATATYPE', cardinality: 'NONE', mandatory: false, readOnly: false },
    persistent: true,
    ...more,
  }) as DetailedAttributeInfo;
const lines = attribute('lines', {
  ...{ type: 'Line', attributeType: 'COMPOSITION', cardinality: 'ONE_TO_MANY', inverse: 'order' },
});
const ORDER = {
  entityName: 'Order',
  kind: 'entity',
  key: 'id',
  keyGeneration: 'uuid',
  ui: { order: ['status', 'number'], groups: [{ name: 'texts', description: 'Texts', attributes: ['notes'] }] },
  properties: [
    attribute('id'),
    attribute('version', { type: 'int' }),
    attribute('number'),
    attribute('notes', { ui: { widget: 'textarea' } }),
    attribute('status', { attributeType: 'ENUM', type: 's.Status' }),
    attribute('secretOfOthers'),
    attribute('importKey', { ui: { widget: 'hidden' } }),
    attribute('placedAt', { type: 'offsetDateTime' }),
    lines,
  ],
  dynamicProperties: [{ ...attribute('+points', { type: 'int' }), dynamic: true, category: 'Loyalty' }],
} as unknown as DetailedEntityInfo;
const LINE = {
  ...{ entityName: 'Line', kind: 'entity', key: 'id', keyGeneration: 'uuid' },
  properties: [
    attribute('order', { attributeType: 'ASSOCIATION', type: 'Order', cardinality: 'MANY_TO_ONE', owning: true }),
    attribute('quantity', { type: 'decimal' }),
    attribute('labels', { attributeType: 'ASSOCIATION', type: 'Label', cardinality: 'MANY_TO_MANY', owning: true }),
    attribute('uses', { attributeType: 'ASSOCIATION', type: 'Use', cardinality: 'ONE_TO_MANY', owning: false }),
    attribute('pin', { writeOnly: true }),
  ],
} as unknown as DetailedEntityInfo;
const rights = (forbidden: readonly string[] = []): Rights =>
  ({
    may: (entity: string, operation: string) => !forbidden.includes(`${entity}:${operation}`),
    mayView: (_entity: string, name: string) => name !== 'secretOfOthers',
    mayModify: (_entity: string, name: string) => !forbidden.includes(name),
  }) as unknown as Rights;
const shown = (of: Rights, isNew: boolean) =>
  formAttributesOf(ORDER, of, isNew).map(
    ({ attribute: { name }, widget, isReadOnly }) => `${name} ${widget}${isReadOnly ? ' read-only' : ''}`,
  );

test('what leads to instances that the user may not read is left out', () => {
  const names = (forbidden: readonly string[]) =>
    formAttributesOf(LINE, rights(forbidden), true).map(({ attribute: { name } }) => name);
  expect(names([])).toEqual(expect.arrayContaining(['order', 'labels', 'quantity']));
  const without = names(['Order:read', 'Label:read']);
  expect(without).toContain('quantity');
  expect(without).not.toContain('order');
  expect(without).not.toContain('labels');
  expect(shown(rights(['Line:read']), false)).not.toContain('lines lines');
});

test('attributes are in the order of the hints, with their widgets; those that are hidden are left out', () => {
  expect(shown(rights(), false)).toEqual([
    'status enum',
    'number text',
    'notes textarea',
    'placedAt pointInTime',
    'lines lines',
    '+points number',
    'id text read-only',
    'version number read-only',
  ]);
  expect(shown(rights(), true)).not.toContain('version number read-only');
});

test('a new instance may lack a value that the database sets, and a stored one may not', () => {
  const entity = { ...ORDER, properties: [attribute('state', { mandatory: true, databaseDefault: true })] };
  const isMandatory = (isNew: boolean) => formAttributesOf(entity, rights(), isNew)[0]?.attribute.mandatory;
  expect([isMandatory(true), isMandatory(false)]).toEqual([false, true]);
});

test('what the user may not change is read-only', () => {
  expect(shown(rights(['number']), false)[1]).toBe('number text read-only');
  expect(shown(rights(['Order:update']), false).every((each) => each.endsWith('read-only'))).toBe(true);
  expect(shown(rights(['Order:update']), true)[0]).toBe('status enum');
});

test('groups: those without one, those of the model, categories of administrators, what the platform sets', () => {
  const groups = groupsOf(ORDER, formAttributesOf(ORDER, rights(), false), 'System');
  expect(groups.map(({ caption, fields }) => [caption, fields.map(({ attribute: { name } }) => name)])).toEqual([
    [undefined, ['status', 'number', 'placedAt', 'lines']],
    ['Texts', ['notes']],
    ['Loyalty', ['+points']],
    ['System', ['id', 'version']],
  ]);
});

test('the plan has the children, not the way back, secrets, nor members that another entity owns', () => {
  const schema = new Map([ORDER, LINE].map((each) => [each.entityName, each]));
  expect(formPlanOf(schema, (entity) => formAttributesOf(entity, rights(), false), 'Order')).toEqual({
    ...{ status: true, number: true, notes: true, placedAt: true, id: true, version: true },
    lines: { quantity: true, labels: true },
  });
});
