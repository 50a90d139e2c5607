import type { Migration } from '@lintel/application';
import { migration1795695009905 } from './1795695009905-initial.ts';

/** In the order of their names; `lintel migrate generate` adds to this list. */
export const MIGRATIONS: readonly Migration[] = [migration1795695009905];
