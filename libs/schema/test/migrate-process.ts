/**
 * One of several replicas that start at once: runs the migrations that it is given, sends the names of those
 * that it has run itself, and ends.
 */
import { runMigrations, type SchemaMigration } from '@lintel/schema';

const [url = '', migrations = '[]'] = process.argv.slice(2);
const ran = await runMigrations({
  url,
  migrations: JSON.parse(migrations) as readonly SchemaMigration[],
  onProgress: ({ kind }) => process.send?.(kind),
});
process.send?.(ran, () => process.disconnect());
