import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { releaseDocuments } from './release-documents.ts';

const [, , folder = '.lintel/documents'] = process.argv;
await mkdir(resolve(folder), { recursive: true });
for (const [name, text] of Object.entries(await releaseDocuments())) {
  await writeFile(join(resolve(folder), name), text);
  console.log(join(folder, name));
}
