import type { Migration } from '@lintel/application';
import { migration1795238450073 } from './1795238450073-initial.ts';
import { migration1795242865490 } from './1795242865490-customer-name-search.ts';
import { migration1795669200000 } from './1795669200000-order-date-and-id.ts';
import { migration1795900000000 } from './1795900000000-file-searches.ts';
import { migration1795970220945 } from './1795970220945-record-customers.ts';
import { migration1796046653796 } from './1796046653796-search.ts';
import { migration1796046653797 } from './1796046653797-search-indexes.ts';
import { migration1796080000000 } from './1796080000000-cost-centres.ts';

/** In the order of their names; `lintel migrate generate` adds to this list. */
export const MIGRATIONS: readonly Migration[] = [
  migration1795238450073,
  migration1795242865490,
  migration1795669200000,
  migration1795900000000,
  migration1795970220945,
  migration1796046653796,
  migration1796046653797,
  migration1796080000000,
];
