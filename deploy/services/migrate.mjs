/**
 * Brings the database to the schema of the application and ends: `npm run migrate`. Other commands of the
 * migration tool can be named: `npm run migrate -- status`.
 */
if (process.argv.length === 2) process.argv.push('run');
await import('../../tools/migrate/bin/lintel-migrate.mjs');
