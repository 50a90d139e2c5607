import type { Model } from '@lintel/metadata';
import { withReadingSession } from '../migrations/migration-session.ts';
import { type MigrationStatus, migrationStatus } from '../migrations/migration-status.ts';
import { PLATFORM_MIGRATIONS } from '../migrations/platform/index.ts';
import type { SchemaMigration } from '../migrations/schema-migration.ts';
import { compareCatalogues, type DriftFinding } from './compare-catalogues.ts';
import { expectedCatalogue } from './expected-catalogue.ts';
import { isPlatformSchema, keptParts } from './kept-parts.ts';
import { readCatalogue } from './read-catalogue.ts';
import { readTableParts } from './read-table-parts.ts';

/** How a database differs from its model. */
export interface DriftReport {
  /** Whether no finding is a problem and every migration of this version has run with its present text. */
  readonly fits: boolean;
  readonly findings: readonly DriftFinding[];
  /** Migrations that have not run, have changed, or are unknown to this version. */
  readonly migrations: readonly MigrationStatus[];
  /** No migration of the platform has run: its tables, views and functions are missing, which are no findings then. */
  readonly lacksPlatform?: true;
}

export interface DriftOptions {
  readonly url: string;
  readonly model: Model;
  readonly migrations: readonly SchemaMigration[];
}

/**
 * Compares a running database with the model and the tables of the platform. Reads the catalogue only: it needs only
 * the privilege to connect, changes nothing and blocks no other session. Other schemas, and application objects that no
 * entity describes, are not compared.
 */
export async function detectDrift(options: DriftOptions): Promise<DriftReport> {
  const expected = expectedCatalogue(options.model);
  const schemas = [...new Set(expected.tables.map(({ schema }) => schema))];
  const migrations = (await migrationStatus(options)).filter(({ state }) => state !== 'executed');
  const pending = migrations.filter(({ state }) => state === 'pending').map(({ name }) => name);
  const lacksPlatform = PLATFORM_MIGRATIONS.every(({ name }) => pending.includes(name));
  const found = await withReadingSession(options.url, async (client) => [
    ...compareCatalogues(expected, await readCatalogue(client, schemas)),
    ...keptParts(expected.tables, await readTableParts(client, schemas)),
  ]);
  const findings = found.filter(
    ({ kind, table }) => !(lacksPlatform && kind === 'missing' && isPlatformSchema(table.slice(0, table.indexOf('.')))),
  );
  const isCurrent = migrations.every(({ state }) => state === 'unknown');
  const fits = isCurrent && findings.every(({ severity }) => severity === 'notice');
  return { fits, findings, migrations, ...(lacksPlatform ? { lacksPlatform } : {}) };
}
