import type { SchemaMigration } from '../schema-migration.ts';

/**
 * Stored policies of the type `query` held for reading whatever their action was. They hold for the actions that they
 * name now; those that exist go on hiding what they hid.
 */
export const ROW_POLICY_ACTIONS_MIGRATION: SchemaMigration = {
  name: '1763683200014-platform-row-policy-actions',
  up: [`UPDATE sec.row_level_policy SET action = 'read' WHERE type = 'query' AND action <> 'read'`],
  // What the actions were had no effect.
  down: [],
};
