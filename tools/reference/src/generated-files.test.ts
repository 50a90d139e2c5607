import { readFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

const root = new URL('../../../', import.meta.url);

test.each(Object.entries(generatedFiles()))(
  '%s is current (npm run generate -w tools/reference)',
  async (path, text) => {
    expect(await readFile(new URL(path, root), 'utf8')).toBe(text);
  },
);
