import { writeFile } from 'node:fs/promises';
import { readStoredEvents } from './events/read-stored-events.ts';
import { EVENTS_FOLDER } from './events/stored-events.ts';
import { generatedFiles } from './generated-files.ts';

const root = new URL('../../../', import.meta.url);
for (const [path, text] of Object.entries(await generatedFiles(readStoredEvents(new URL(EVENTS_FOLDER, root))))) {
  await writeFile(new URL(path, root), text);
  console.log(path);
}
