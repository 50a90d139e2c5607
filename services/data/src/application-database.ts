import type { Application } from '@lintel/application';
import { StartError } from '@lintel/errors';
import { createSplitDatabase, type Database } from '@lintel/persistence';
import { describeTables } from '@lintel/schema';

type Known = Pick<Application, 'entities' | 'model' | 'migrations'>;

const PROPERTY = 'svc.datasource.application-url';

/** The schemas of the tables of the application's own entities. */
export function applicationSchemas({ entities, model }: Pick<Known, 'entities' | 'model'>): readonly string[] {
  const own = new Set(entities.map(({ name }) => name));
  const platform = { ...model, entities: new Map([...model.entities].filter(([name]) => !own.has(name))) };
  const taken = new Set(describeTables(platform).map(({ schema }) => schema));
  const all = new Set(describeTables(model).map(({ schema }) => schema));
  return [...all].filter((schema) => !taken.has(schema));
}

interface TwoDatabases {
  readonly platform: Database;
  readonly application: Database;
  /** `svc.datasource.read-urls` */
  readonly readUrls: readonly string[];
}

/**
 * Returns one database of the two: `svc.datasource.url` has the tables of the platform,
 * `svc.datasource.application-url` those of the application.
 *
 * @throws StartError if the application cannot be read from a database of its own
 */
export function splitDatabase(known: Known, { platform, application, readUrls }: TwoDatabases): Database {
  const { entities, model, migrations = [] } = known;
  const problems: string[] = [];
  if (readUrls.length > 0) problems.push('svc.datasource.read-urls cannot be set, too');
  if (migrations.length > 0) problems.push('the application has migrations, but its tables are only read');
  const own = new Set(entities.map(({ name }) => name));
  for (const { name } of entities) {
    for (const attribute of model.entities.get(name)?.attributes.values() ?? []) {
      if (attribute.kind === 'reference' && !own.has(attribute.target))
        problems.push(`${name}.${attribute.name} refers to ${attribute.target}, whose table is in the other database`);
    }
  }
  if (problems.length > 0) throw new StartError(`${PROPERTY}: ${problems.join('; ')}`);
  return createSplitDatabase({ platform, application, schemas: applicationSchemas(known) });
}
