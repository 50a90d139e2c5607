import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHost } from './start-host.mjs';

/** How a test file shows which servers it needs. */
const SIGNS = {
  postgres:
    /LINTEL_TEST_POSTGRES|createTestDatabase|cloneTestDatabase|createAuthDatabase|data-fixture|startServiceProcesses|startIdentitySystem/,
  redis: /LINTEL_TEST_REDIS|startServiceProcesses|startIdentitySystem/,
  amqp: /LINTEL_TEST_AMQP|createTestVhost|startServiceProcesses|startIdentitySystem/,
  s3: /LINTEL_TEST_S3|createTestBucket/,
  office: /LINTEL_TEST_OFFICE|convertByOffice/,
  pdf: /LINTEL_TEST_PDF|textOfPdf|picturesOfPdf/,
  chromium: /LINTEL_TEST_CHROMIUM/,
  helm: /LINTEL_TEST_HELM|LINTEL_TEST_KUBECONFORM|renderChart|renderBase/,
  kustomize: /LINTEL_TEST_KUSTOMIZE/,
  pgbouncer: /LINTEL_TEST_PGBOUNCER|startPgBouncer/,
  slapd: /LINTEL_TEST_SLAPD|startSlapd/,
};

/** The variable that names what is there already. */
const NAMED_BY = {
  office: 'LINTEL_TEST_OFFICE_PROGRAM',
  pdf: 'LINTEL_TEST_PDF_TO_TEXT',
  chromium: 'LINTEL_TEST_CHROMIUM_PROGRAM',
  helm: 'LINTEL_TEST_HELM_PROGRAM',
  kustomize: 'LINTEL_TEST_KUSTOMIZE_PROGRAM',
  pgbouncer: 'LINTEL_TEST_PGBOUNCER_PROGRAM',
  slapd: 'LINTEL_TEST_SLAPD_PROGRAM',
};
/** Servers, which a test file may also reach through another module; programs are always shown. */
const SERVERS = ['postgres', 'redis', 'amqp', 's3'];

/**
 * jest's global setup for tests with real servers: starts those that the chosen files need and that the
 * environment does not name already.
 */
export default async function globalSetup(globalConfig, projectConfig) {
  process.env['LINTEL_TEST_RUN'] = randomBytes(6).toString('hex');
  const needed = neededBackends(globalConfig, projectConfig).filter((backend) => !isGiven(backend));
  if (needed.length === 0) return;
  const host = await startHost(needed);
  Object.assign(process.env, host.environment);
  globalThis.__LINTEL_TEST_HOST__ = host;
}

const isGiven = (backend) => Boolean(process.env[NAMED_BY[backend] ?? `LINTEL_TEST_${backend.toUpperCase()}_URL`]);

function neededBackends(globalConfig, projectConfig) {
  const kind = projectConfig.displayName?.name;
  const chosen = (globalConfig.testPathPatterns?.patterns ?? []).map((pattern) => new RegExp(pattern, 'i'));
  const files = projectConfig.roots
    .flatMap((root) =>
      globSync('**/*.test.ts', { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) }).map((file) =>
        join(root, file),
      ),
    )
    .filter((file) => kind === 'faults' || file.endsWith(kind === 'long' ? '.long.test.ts' : '.int.test.ts'))
    .filter((file) => chosen.length === 0 || chosen.some((pattern) => pattern.test(file)));
  const backends = new Set();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const signs = Object.keys(SIGNS).filter((backend) => SIGNS[backend].test(text));
    // A file that shows nothing may get its servers through another module.
    for (const backend of signs.length === 0 ? SERVERS : signs) backends.add(backend);
  }
  return Object.keys(SIGNS).filter((backend) => backends.has(backend));
}
