import type { ResourcePolicy } from '../api/roles.ts';
import { attributeLevel, isOperationGranted, withAttributeLevel, withPolicy } from './policy-set.ts';

const policy = (type: string, resource: string, action: string): ResourcePolicy => ({
  type,
  resource,
  action,
  effect: 'allow',
});
const read = { type: 'entity', resource: 't_Car', action: 'read' };

test('a right is added once and removed', () => {
  const once = withPolicy(withPolicy([], read, true), read, true);
  expect(once).toEqual([policy('entity', 't_Car', 'read')]);
  expect(withPolicy(once, read, false)).toEqual([]);
});

test('all operations are divided where one of them is removed', () => {
  const rest = withPolicy([policy('entity', 't_Car', 'all')], read, false);
  expect(rest.map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
  expect(isOperationGranted([policy('entity', 't_Car', 'all')], 't_Car', 'read')).toBe(true);
  expect(isOperationGranted(rest, 't_Car', 'read')).toBe(false);
});

test('an attribute has one level', () => {
  const view = withAttributeLevel([policy('entityAttribute', 't_Car.vin', 'modify')], 't_Car.vin', 'view');
  expect(view).toEqual([policy('entityAttribute', 't_Car.vin', 'view')]);
  expect([attributeLevel(view, 't_Car.vin'), attributeLevel(view, 't_Car.*')]).toEqual(['view', 'different']);
  expect(withAttributeLevel(view, 't_Car.vin', 'hidden')).toEqual([]);
});

test('a level of all attributes replaces the levels of single ones of the entity', () => {
  const single = withAttributeLevel([policy('entityAttribute', 't_Cart.vin', 'view')], 't_Car.vin', 'modify');
  const all = withAttributeLevel(single, 't_Car.*', 'view');
  expect(all).toEqual([policy('entityAttribute', 't_Cart.vin', 'view'), policy('entityAttribute', 't_Car.*', 'view')]);
  expect([attributeLevel(all, 't_Car.*'), attributeLevel(all, 't_Car.vin')]).toEqual(['view', 'hidden']);
});
