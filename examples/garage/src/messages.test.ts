import { readFile } from 'node:fs/promises';
import { checkMessages, loadMessages } from '@lintel/application';
import garage from './index.ts';

/** Texts of reports, which no element of the model needs. */
const OF_REPORTS = ['garage/turnover', 'garage/from', 'garage/to'];

test('every caption and text is there in both languages, and none that names nothing', async () => {
  const loaded = await loadMessages(garage, ['en', 'de'], (_, name) =>
    readFile(new URL(name, garage.resources), 'utf8').catch(() => undefined),
  );
  expect(loaded.messages.find('garage/JobStatus.IN_PROGRESS', 'de')).toBe('In Arbeit');
  expect(checkMessages(loaded, ['', 'de'], OF_REPORTS)).toEqual([]);
});
