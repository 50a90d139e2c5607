import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

const root = new URL('../../../', import.meta.url);
for (const [path, text] of Object.entries(generatedFiles())) {
  await writeFile(new URL(path, root), text);
  console.log(path);
}
