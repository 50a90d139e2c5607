import { decimal, keylessEntity, offsetDateTime } from '@lintel/metadata';

// What this does not say of public.instant:
// - table has the key column at of type timestamp with time zone, which no key can have: its rows are a read-only list without ids

export const Instant = keylessEntity('library_Instant', {
  table: { schema: 'public', name: 'instant' },
  attributes: {
    at: offsetDateTime().mandatory().storedAs('timestamp with time zone'),
    values: decimal(5, 2),
  },
});
