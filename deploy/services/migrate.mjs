/**
 * Brings the database to the schema of the application and ends: `npm run migrate`. Other commands of the
 * migration tool can be named: `npm run migrate -- status`. Without SVC_DATASOURCE_URL and --url it works with
 * the PostgreSQL of the standalone mode, running or not.
 */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '@lintel/config/environment';
import { runMigrate } from '@lintel/migrate';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const [command = 'run', ...rest] = process.argv.slice(2);

process.exitCode = await runMigrate(
  [command, ...rest],
  { print: (line) => console.log(line), printError: (line) => console.error(line) },
  { openDatabase: openDatabaseOfStandalone },
);

async function openDatabaseOfStandalone() {
  // Loaded when it is needed: it brings all services along.
  const { openHomeDatabase } = await import('@lintel/standalone');
  return openHomeDatabase(resolve(environment().LINTEL_HOME ?? join(ROOT, '.lintel')), (step) =>
    console.error(`  ${step}`),
  );
}
