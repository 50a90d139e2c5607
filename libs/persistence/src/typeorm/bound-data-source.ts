import { isPlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { DataSource, type Logger, QueryFailedError, type QueryRunner, type ReplicationMode } from 'typeorm';
import { applicationSchemas } from './entity-schemas.ts';
import { FillSystemValues } from './fill-system-values.ts';
import { OrmClient } from './orm-client.ts';
import type { OrmSession } from './orm-session.ts';

const NOT_HERE = 'The schema is changed by migrations of the application, not by a data source of `data`';

const refuse = (): Promise<never> => Promise.reject(new Error(NOT_HERE));

/** The parts of a data source that depend on the model only. */
export type OrmMetadata = Pick<DataSource, 'entityMetadatas' | 'entityMetadatasMap'>;

/** Values that the driver would read from the server when it connects by itself. */
const SERVER = { version: '15.0', database: '', schema: 'public', searchSchema: 'public' };

/** Members that a connection sets and that the driver's types lack. */
interface Connectable {
  master: unknown;
  isGeneratedColumnsSupported: boolean;
}

/**
 * A data source of TypeORM that opens no connection: its statements run on the connection of the session, and it ends
 * with the session. The metadata are built once per model.
 */
export class BoundDataSource extends DataSource {
  #hasEnded = false;

  private constructor(entities: ReturnType<typeof applicationSchemas>) {
    super({
      type: 'postgres',
      // Neither is used: connections come from the session.
      driver: {},
      nativeDriver: {},
      entities: [...entities],
      logger: SILENT_LOGGER,
      installExtensions: false,
    });
  }

  /** Builds the metadata that all data sources of a model share. */
  static async metadataOf(model: Model): Promise<OrmMetadata> {
    const dataSource = new BoundDataSource(applicationSchemas(model));
    await dataSource.buildMetadatas();
    const { entityMetadatas, entityMetadatasMap } = dataSource;
    return { entityMetadatas, entityMetadatasMap };
  }

  static open(model: Model, metadata: OrmMetadata, session: OrmSession): BoundDataSource {
    const dataSource = new BoundDataSource([]);
    Object.assign(dataSource, metadata, {
      isInitialized: true,
      subscribers: [new FillSystemValues(model, session)],
    });
    const connect = (use: (error: unknown, client?: OrmClient, release?: () => void) => void): void => {
      const client = new OrmClient(session);
      try {
        if (dataSource.#hasEnded) throw new Error('The data source was destroyed');
        session.assertOpen();
      } catch (error) {
        use(error);
        return;
      }
      use(undefined, client, () => client.close());
    };
    const driver: Connectable = { master: { connect }, isGeneratedColumnsSupported: true };
    Object.assign(dataSource.driver, SERVER, driver);
    return dataSource;
  }

  /** Errors of the database are thrown as `data` throws them: with a code of the platform, not wrapped by TypeORM. */
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    const query = runner.query.bind(runner) as (...args: readonly unknown[]) => Promise<unknown>;
    const unwrapped = async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await query(...args);
      } catch (error) {
        if (error instanceof QueryFailedError && isPlatformError(error.driverError)) throw error.driverError;
        throw error;
      }
    };
    return Object.assign(runner, { query: unwrapped });
  }

  /** Closes no connection; statements are refused from now on. */
  override async destroy(): Promise<void> {
    this.#hasEnded = true;
  }

  override synchronize = refuse;
  override dropDatabase = refuse;
  override runMigrations = refuse;
  override undoLastMigration = refuse;
  override showMigrations = refuse;
}

const ignore = (): void => {};

/**
 * TypeORM prints to the console even with logging off; statements are logged where they run, and failures are thrown.
 */
const SILENT_LOGGER: Logger = {
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};
