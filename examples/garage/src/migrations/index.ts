import type { Migration } from '@lintel/application';
import { migration1795475080138 } from './1795475080138-initial.ts';
import { migration1795513290939 } from './1795513290939-branches.ts';
import { migration1795513290940 } from './1795513290940-branches-indexes.ts';

/** In the order of their names; `lintel migrate generate` adds to this list. */
export const MIGRATIONS: readonly Migration[] = [
  migration1795475080138,
  migration1795513290939,
  migration1795513290940,
];
