import type { SchemaMigration } from '../schema-migration.ts';

const SEARCHED = [
  ['report_template', 'content'],
  ['report_execution', 'output_document'],
] as const;

/** What refers to a file is searched by the beginning of the reference, built while others write (ADR 104). */
export const FILE_SEARCHES_MIGRATION: SchemaMigration = {
  name: '1763683200045-platform-file-searches',
  up: SEARCHED.map(
    ([table, column]) =>
      `CREATE INDEX CONCURRENTLY ix_${table}__${column}__search ON report.${table} (lower((${column})::text) text_pattern_ops)`,
  ),
  down: SEARCHED.map(([table, column]) => `DROP INDEX CONCURRENTLY report.ix_${table}__${column}__search`),
};
