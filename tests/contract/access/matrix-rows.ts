import { demo } from '../api.ts';
import type { HiddenData } from './hidden-data.ts';
import { AUTH_ROWS } from './matrix/auth-rows.ts';
import { CALL_ROWS } from './matrix/call-rows.ts';
import { customers, ENTITY_ROWS } from './matrix/entity-rows.ts';
import { FILE_ROWS } from './matrix/file-rows.ts';
import { INTERNAL_ROWS } from './matrix/internal-rows.ts';
import { MODEL_ROWS } from './matrix/model-rows.ts';
import { OPERATION_ROWS } from './matrix/operation-rows.ts';
import { REPORT_ROWS } from './matrix/report-rows.ts';
import { all, type MatrixRow, READ, row } from './matrix/row.ts';
import { USER_ROWS } from './matrix/user-rows.ts';

const named = ({ hiddenValues: [hidden = ''], shownValues: [shown = ''] }: HiddenData) => ({
  conditions: [{ property: 'name', operator: 'in', value: [hidden, shown] }],
});
const OTHERS: readonly MatrixRow[] = [
  row('(health)', 'GET', '/health/live', all(200)),
  row('(health)', 'GET', '/health/ready', all(200)),
  row('(nothing)', 'GET', '/rest/nothing', [401, 403, 404, 404, 404]),
  row('(nothing)', 'GET', '/nothing', all(404)),
  // The anonymous user may read products (and this URL is listed), other users may not.
  row('(anonymous)', 'GET', `/rest/entities/sales_Product/${demo.product(1)}`, [200, 403, 403, 200, 200]),
  row('(anonymous)', 'POST', '/rest/entities/sales_Product/search', [200, 403, 403, 200, 200], {
    body: () => ({ filter: {} }),
  }),
  row('(search by name)', 'POST', `${customers}/search`, READ, {
    body: (data) => ({ filter: named(data), fetchPlan: '_base' }),
  }),
];

/** Every route, requested by every caller. */
export const MATRIX: readonly MatrixRow[] = [
  ...ENTITY_ROWS,
  ...CALL_ROWS,
  ...MODEL_ROWS,
  ...USER_ROWS,
  ...OPERATION_ROWS,
  ...FILE_ROWS,
  ...REPORT_ROWS,
  ...AUTH_ROWS,
  ...INTERNAL_ROWS,
  ...OTHERS,
];
