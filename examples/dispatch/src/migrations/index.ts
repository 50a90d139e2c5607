import type { Migration } from '@lintel/application';
import { migration1796072401465 } from './1796072401465-initial.ts';

/** In the order of their names; `lintel migrate generate` adds to this list. */
export const MIGRATIONS: readonly Migration[] = [migration1796072401465];
