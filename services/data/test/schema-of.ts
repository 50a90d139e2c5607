import type { Model } from '@lintel/metadata';
import { createSchemaFromModel, runMigrations } from '@lintel/schema';
import type { DatabaseTemplate } from '@lintel/testkit';

/** The tables of the platform, which are part of every model. */
const PLATFORM: DatabaseTemplate = { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) };

/** The tables of a model, for `cloneTestDatabase`. */
export const schemaOf = (model: Model): DatabaseTemplate => ({
  key: model.version,
  base: PLATFORM,
  build: (url) => createSchemaFromModel(url, model),
});
