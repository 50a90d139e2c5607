import { keylessEntity, offsetDateTime, text } from '@lintel/metadata';

// What this does not say of public.log_lines:
// - table has no primary key: its rows are a read-only list without ids

export const LogLine = keylessEntity('shop_LogLine', {
  table: { schema: 'public', name: 'log_lines' },
  attributes: {
    at: offsetDateTime().mandatory().storedAs('timestamp with time zone'),
    text: text(),
  },
});
