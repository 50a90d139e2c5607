import type { Migration } from '@lintel/application';

/** In the order of their names; `lintel-migrate generate` adds to this list. */
export const MIGRATIONS: readonly Migration[] = [];
