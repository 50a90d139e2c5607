import { double, keyedEntity, offsetDateTime } from '@lintel/metadata';

export const Measure = keyedEntity('shop_Measure', {
  table: { schema: 'public', name: 'measures' },
  key: 'taken',
  attributes: {
    taken: offsetDateTime().microseconds().storedAs('timestamp with time zone'),
    value: double(),
  },
});
