import { globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeHome } from '@lintel/standalone';

/** Removes a folder with applications that were started, and databases that are stored elsewhere for them. */
export function removeFolder(folder: string): void {
  for (const file of globSync(['*/location', '*/.lintel/location'], { cwd: folder }))
    removeHome(dirname(join(folder, file)));
  rmSync(folder, { recursive: true, force: true });
}
