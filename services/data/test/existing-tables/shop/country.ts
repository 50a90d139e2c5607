import { keyedEntity, string, text } from '@lintel/metadata';

// What this does not say of public.countries:
// - column code is filled with blanks to its length by the database

export const Country = keyedEntity('shop_Country', {
  table: { schema: 'public', name: 'countries' },
  key: 'code',
  attributes: {
    code: string(2).storedAs('character(2)'),
    name: text().mandatory(),
  },
  instanceName: ['name'],
});
