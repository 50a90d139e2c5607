import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything that is made here and not in the repository. */
export const STATE = join(ROOT, '.lintel');
