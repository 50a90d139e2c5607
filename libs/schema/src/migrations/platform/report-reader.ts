import type { SchemaMigration } from '../schema-migration.ts';
import { createRole, REPORT_READER } from './fragments.ts';

/**
 * The role of the logins for SQL data sets of reports. Its read rights are derived from the model: the data service
 * grants them when it starts.
 */
export const REPORT_READER_MIGRATION: SchemaMigration = {
  name: '1763683200010-platform-report-reader',
  up: [createRole(REPORT_READER)],
  // Roles belong to the whole cluster and stay: other databases may use them.
  down: [],
};
