import type { ExtensionParts } from '@lintel/react/console';
import { attribute } from '../../../test/page/model-of-tests.ts';
import { shownPages } from '../shown-pages.ts';
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

test('without fields there is none', () => {
  expect(fieldFor({}, 'Order', attribute('total', 'decimal'))).toBeUndefined();
});

test('pages of the extension are shown unless they say otherwise', () => {
  const pages = [
    { path: 'a', title: 'A', component },
    { path: 'b', title: 'B', component, isShown: ({ has }: { has(name: string): boolean }) => has('b.view') },
    { path: 'c', title: 'C', component, isShown: () => false },
  ] as unknown as NonNullable<ExtensionParts['pages']>;
  const shown = (granted: readonly string[]) =>
    shownPages({ pages }, { has: (name: string) => granted.includes(name) } as never).map(({ path }) => path);
  expect([shown([]), shown(['b.view'])]).toEqual([['a'], ['a', 'b']]);
  expect(shownPages({}, {} as never)).toEqual([]);
});
