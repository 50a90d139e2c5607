import type { Migration } from '@lintel/application';
import { migration1763000000000 } from './1763000000000-initial.ts';

/** In the order of their names; `lintel migrate generate` adds to this list. */
export const MIGRATIONS: readonly Migration[] = [migration1763000000000];
