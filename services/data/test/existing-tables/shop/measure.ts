import { double, keylessEntity, offsetDateTime } from '@lintel/metadata';

// What this does not say of public.measures:
// - table has the key column taken of type timestamp with time zone, which no key can have: its rows are a read-only list without ids

export const Measure = keylessEntity('shop_Measure', {
  table: { schema: 'public', name: 'measures' },
  attributes: {
    taken: offsetDateTime().mandatory().storedAs('timestamp with time zone'),
    value: double(),
  },
});
