import { readFile } from 'node:fs/promises';
import { readStoredEvents } from './events/read-stored-events.ts';
import { EVENTS_FOLDER } from './events/stored-events.ts';
import { generatedFiles } from './generated-files.ts';

const root = new URL('../../../', import.meta.url);

test.each(Object.entries(await generatedFiles(readStoredEvents(new URL(EVENTS_FOLDER, root)))))(
  '%s is current (npm run generate -w tools/reference)',
  async (path, text) => {
    expect(await readFile(new URL(path, root), 'utf8')).toBe(text);
  },
);
