import { readFile } from 'node:fs/promises';
import { checkMessages, loadMessages } from '@lintel/application';
import sales from './index.ts';

const LOCALES = ['de', 'zh_CN'];

// Asserts contract/messages.md#bundles.
test('every caption and validation text is there in every language, and none that names nothing', async () => {
  const loaded = await loadMessages(sales, ['en', ...LOCALES], (_, name) =>
    readFile(new URL(name, sales.resources), 'utf8').catch(() => undefined),
  );
  expect(loaded.messages.find('sales/OrderStatus.NEW', 'de')).toBe('Neu');
  expect(checkMessages(loaded, ['', ...LOCALES], ['sales/reminderWithoutAddress'])).toEqual([]);
});
