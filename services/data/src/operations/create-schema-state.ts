import type { Application } from '@lintel/application';
import { sessionUrlOf } from '@lintel/config';
import { PlatformError } from '@lintel/errors';
import { type DriftFinding, detectDrift, type MigrationStatus, migrationStatus } from '@lintel/schema';
import { applicationSchemas } from '../application-database.ts';
import type { DataConfig } from '../config.ts';

/** The schema of the database compared with this version of the application. */
export interface SchemaState {
  /** Whether every migration has run with its present text and no finding is a problem. */
  readonly fits: boolean;
  /** All migrations, in their order. */
  readonly migrations: readonly MigrationStatus[];
  readonly findings: readonly DriftFinding[];
}

/** A comparison reads the whole catalogue of the database: requests within this time share one. */
const SHARED_MS = 5_000;

/**
 * Returns a function that compares the database of the platform with the model. The database of
 * `svc.datasource.application-url` is not compared.
 */
export function createSchemaState(
  application: Application,
  { database }: Pick<DataConfig, 'database'>,
): () => Promise<SchemaState> {
  const compare = async (): Promise<SchemaState> => {
    const options = {
      url: sessionUrlOf(database),
      model: application.model,
      migrations: application.migrations ?? [],
    };
    const elsewhere = database.applicationUrl === undefined ? [] : applicationSchemas(application);
    const isHere = ({ table }: DriftFinding): boolean => !elsewhere.some((schema) => table.startsWith(`${schema}.`));
    try {
      const migrations = await migrationStatus(options);
      const findings = (await detectDrift(options)).findings.filter(isHere);
      const fits =
        migrations.every(({ state }) => state === 'executed' || state === 'unknown') &&
        findings.every(({ severity }) => severity === 'notice');
      return { fits, migrations, findings };
    } catch (cause) {
      throw new PlatformError('DATA_UNAVAILABLE', 'The schema of the database cannot be read', { cause });
    }
  };
  let last: { readonly atMs: number; readonly state: Promise<SchemaState> } | undefined;
  return () => {
    const atMs = performance.now();
    if (last === undefined || atMs - last.atMs > SHARED_MS) {
      const state = compare();
      last = { atMs, state };
      state.catch(() => {
        if (last?.state === state) last = undefined;
      });
    }
    return last.state;
  };
}
