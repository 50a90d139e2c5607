import { randomBytes, randomUUID } from 'node:crypto';
import { freePort, startSystem } from './system.mjs';

const SERVICES = ['gateway', 'auth', 'data', 'files', 'reports'];

/**
 * The five processes against the servers of the test run, in a database, broker hosts, key space and bucket
 * of their own. `environment` has the addresses of the broker and the port of the mail server for the tests.
 *
 * @param {Record<string, string>} servers the `LINTEL_TEST_*` variables
 * @param {Record<string, string>} [more] further variables; they win
 */
export async function startServices(servers, more = {}) {
  const { createTestDatabase, createTestVhost } = await import('@lintel/testkit');
  const database = await createTestDatabase('services');
  const [vhost, exchange] = await Promise.all([createTestVhost('services'), createTestVhost('exchange')]);
  const ports = Object.fromEntries(await Promise.all(SERVICES.map(async (name) => [name, await freePort()])));
  const [authInternal, dataInternal, filesInternal] = [await freePort(), await freePort(), await freePort()];
  const mailPort = String(await freePort());
  const at = (port) => `http://127.0.0.1:${port}`;
  const url = `http://localhost:${ports.gateway}`;
  const env = {
    SVC_DATASOURCE_URL: database.url,
    SVC_REDIS_URL: servers.LINTEL_TEST_REDIS_URL,
    SVC_REDIS_KEY_PREFIX: `test-${randomUUID()}:`,
    SVC_BROKER_URLS: vhost.url,
    SVC_EVENTS_BROKER_URLS: exchange.url,
    SVC_FILES_STORAGE_FS_KIND: 's3',
    SVC_FILES_STORAGE_FS_ENDPOINT_URL: servers.LINTEL_TEST_S3_URL,
    SVC_FILES_STORAGE_FS_ACCESS_KEY: servers.LINTEL_TEST_S3_ACCESS_KEY,
    SVC_FILES_STORAGE_FS_SECRET_KEY: servers.LINTEL_TEST_S3_SECRET_KEY,
    SVC_FILES_STORAGE_FS_BUCKET: `test-${randomUUID()}`,
    SVC_INTERNAL_SECRET: randomBytes(32).toString('hex'),
    SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: randomBytes(32).toString('hex'),
    SVC_AUTHSERVER_ISSUER: url,
    SVC_AUTHSERVER_JWKS_URL: `${at(ports.auth)}/oauth2/jwks`,
    SVC_AUTHSERVER_INTERNAL_URL: at(authInternal),
    SVC_MAIL_SMTP_HOST: '127.0.0.1',
    SVC_MAIL_SMTP_PORT: mailPort,
    SVC_MAIL_ENCRYPTION: 'none',
    SVC_MAIL_FROM: 'Sales <no-reply@sales.example>',
    SVC_DEMO_ENABLED: 'true',
    SVC_CONSOLE_ENABLED: 'true',
    SVC_LOG_LEVEL: 'debug',
    // One process has the other value.
    SVC_FILES_ACCESS: 'references',
    SVC_AUTH_PORT: String(ports.auth),
    SVC_AUTH_INTERNAL_PORT: String(authInternal),
    SVC_DATA_PORT: String(ports.data),
    SVC_DATA_INTERNAL_PORT: String(dataInternal),
    SVC_FILES_PORT: String(ports.files),
    SVC_FILES_INTERNAL_PORT: String(filesInternal),
    SVC_REPORTS_PORT: String(ports.reports),
    SVC_DATA_INTERNAL_URL: at(dataInternal),
    SVC_FILES_INTERNAL_URL: at(filesInternal),
    SVC_GATEWAY_PORT: String(ports.gateway),
    SVC_GATEWAY_AUTH_URL: at(ports.auth),
    SVC_GATEWAY_DATA_URL: at(ports.data),
    SVC_GATEWAY_FILES_URL: at(ports.files),
    SVC_GATEWAY_REPORTS_URL: at(ports.reports),
    ...Object.fromEntries(SERVICES.map((name) => [`SVC_${name.toUpperCase()}_MANAGEMENT_PORT`, '0'])),
    ...more,
  };
  const release = () => Promise.all([database.drop(), vhost.drop(), exchange.drop()]);
  try {
    const system = await startSystem({ entry: 'deploy/services/start-services.mjs', env, url });
    return {
      ...system,
      query: database.query,
      environment: { LINTEL_BROKER_URL: vhost.url, LINTEL_EXCHANGE_URL: exchange.url, LINTEL_MAIL_PORT: mailPort },
      async stop() {
        const problem = await system.stop();
        await release();
        return problem;
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
