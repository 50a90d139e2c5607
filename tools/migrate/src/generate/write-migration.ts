import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMigrationName } from '@lintel/schema';
import { formatMigration, formatMigrationList } from './format-migration.ts';

/** Writes the migration into the folder and updates the list there. Returns the path of the new file. */
export async function writeMigration(
  folder: string,
  migration: Parameters<typeof formatMigration>[0],
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${migration.name}.ts`);
  await writeFile(path, formatMigration(migration), { flag: 'wx' });
  const names = (await readdir(folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter(isMigrationName);
  await writeFile(join(folder, 'index.ts'), formatMigrationList(names));
  return path;
}
