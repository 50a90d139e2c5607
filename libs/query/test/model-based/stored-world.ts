import { createDatabase, type Database } from '@lintel/persistence';
import { createSchemaFromModel } from '@lintel/schema';
import { createTestDatabase } from '@lintel/testkit';
import { fc } from '@lintel/testkit/properties';
import { addDynamicAttributes } from './dynamic.ts';
import { generateModel } from './generate-model.ts';
import { generateWorld } from './generate-world.ts';
import { storeWorld } from './store-world.ts';
import type { World } from './world.ts';

/** Makes a model with data from the seed, stores it in a database of its own and lends both. */
export async function withStoredWorld(
  seed: number,
  use: (database: Database, world: World) => Promise<void>,
): Promise<void> {
  const [choose] = fc.sample(fc.gen(), { numRuns: 1, seed });
  if (choose === undefined) throw new Error('No sample');
  const model = addDynamicAttributes(choose, generateModel(choose));
  const world = generateWorld(choose, model);
  const server = await createTestDatabase('model');
  let database: Database | undefined;
  try {
    await createSchemaFromModel(server.url, model);
    await server.query(storeWorld(world));
    database = createDatabase({
      url: server.url,
      maxConnections: 1,
      statementTimeoutMs: 60_000,
      applicationName: 'model-test',
    });
    await use(database, world);
  } finally {
    await database?.close();
    await server.drop();
  }
}
