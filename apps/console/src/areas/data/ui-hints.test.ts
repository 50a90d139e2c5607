import type { DetailedEntityInfo } from '@lintel/client';
import { inUiOrder } from './ui-hints.ts';

const hints = (ui: DetailedEntityInfo['ui']): Pick<DetailedEntityInfo, 'ui'> => (ui === undefined ? {} : { ui });
const names = ['a', 'b', 'c', 'd'].map((name) => ({ name }));

test('attributes are in the order of the hints, others after them', () => {
  expect(inUiOrder(hints({ order: ['c', 'a'] }), names).map(({ name }) => name)).toEqual(['c', 'a', 'b', 'd']);
  expect(inUiOrder(hints(undefined), names)).toEqual(names);
});
