import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes a folder with applications that were started. If the user of the database could not enter the folder of an
 * application, the database is stored elsewhere, and the file `location` contains its path.
 */
export function removeFolder(folder: string): void {
  for (const file of globSync(['**/location', '**/.lintel/location'], {
    cwd: folder,
    exclude: (path) => path.includes('node_modules'),
  })) {
    const path = readFileSync(join(folder, file), 'utf8').trim();
    if (path.startsWith('/var/lib/lintel/')) rmSync(path, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
