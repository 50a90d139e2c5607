import type { SchemaMigration } from '../schema-migration.ts';

/**
 * Stored policies of the type `query` applied to reading, with any action. They now apply to the actions that
 * they name; existing ones still hide the same rows.
 */
export const ROW_POLICY_ACTIONS_MIGRATION: SchemaMigration = {
  name: '1763683200014-platform-row-policy-actions',
  up: [`UPDATE sec.row_level_policy SET action = 'read' WHERE type = 'query' AND action <> 'read'`],
  // The former actions had no effect.
  down: [],
};
