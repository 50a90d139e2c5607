import { dropTemplates } from '../src/resources/database-template.ts';

/** Ends the servers that the global setup started, and removes the templates of the run from the server of others. */
export default async function globalTeardown() {
  const host = globalThis.__LINTEL_TEST_HOST__;
  await host?.stop();
  const url = process.env['LINTEL_TEST_POSTGRES_URL'];
  if (url && host?.environment['LINTEL_TEST_POSTGRES_URL'] === undefined)
    await dropTemplates(url, process.env['LINTEL_TEST_RUN']);
}
