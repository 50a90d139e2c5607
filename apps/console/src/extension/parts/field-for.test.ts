import type { ExtensionParts } from '@lintel/react/console';
import { attribute } from '../../../test/page/model-of-tests.ts';
import { fieldFor } from './field-for.ts';

const component = () => null;
const fields = [
  { datatype: 'decimal', component, name: 'any decimal' },
  { entity: 'Order', attribute: 'total', component, name: 'the total' },
  { entity: 'Order', attribute: 'status', component, name: 'the status' },
] as unknown as NonNullable<ExtensionParts['fields']>;
const found = (entity: string, of: ReturnType<typeof attribute>) =>
  (fieldFor({ fields }, entity, of) as { readonly name?: string } | undefined)?.name;

test('the field for an attribute comes before the one for its datatype', () => {
  expect(found('Order', attribute('total', 'decimal'))).toBe('the total');
  expect(found('Order', attribute('discount', 'decimal'))).toBe('any decimal');
  expect(found('Invoice', attribute('total', 'decimal'))).toBe('any decimal');
});

test('an enum or a reference with the name of a datatype has no field of the datatype', () => {
  expect(found('Order', attribute('price', 'decimal', { attributeType: 'ENUM' }))).toBeUndefined();
  expect(found('Order', attribute('status', 'decimal', { attributeType: 'ENUM' }))).toBe('the status');
});

test('an extension without fields has no field for an attribute', () => {
  expect(fieldFor({}, 'Order', attribute('total', 'decimal'))).toBeUndefined();
});
