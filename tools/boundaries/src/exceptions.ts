/** A file or folder where a rule does not hold, and why that is right. */
export interface Exception {
  readonly rule: string;
  /** A file, or a folder with `/` at the end. */
  readonly path: string;
  /** Only for findings that contain this text. */
  readonly what?: string;
  readonly reason: string;
}

const YARDSTICK = 'the yardsticks are the same service written by hand on the bare drivers, and know no lib on purpose';
const TEST_PROCESS = 'it provides the servers of the tests and hands its environment to programs that it starts';

/** Of the adapter of oidc-provider: the files between its routes and its grants. */
const OIDC_PROVIDER_FILES = [
  'create-oauth-server.ts',
  'create-provider.ts',
  'device-flow.ts',
  'interactions.ts',
  'register-grants.ts',
  'replayed-request.ts',
  'grants/',
];

const NODE_PACKAGES =
  'the command line names the npm packages of Node itself, in plain JavaScript without imports, and a clone has that file';

/** All exceptions there are. One that excuses nothing any longer is reported, and is then to be removed. */
export const EXCEPTIONS: readonly Exception[] = [
  { rule: 'package-exports', path: 'tools/bootstrap/installation/node-version.mjs', reason: NODE_PACKAGES },
  { rule: 'bootstrap-needs-nothing', path: 'tools/bootstrap/installation/node-version.mjs', reason: NODE_PACKAGES },
  {
    rule: 'services-apart',
    path: 'tools/reference/src/caches/declarations.ts',
    reason: 'a cache is declared beside its code: only who loads the services finds all declarations',
  },
  {
    rule: 'declared-dependencies',
    path: 'tests/e2e/admin/page/',
    what: 'imports @lintel/',
    reason: 'its packages are installed apart from those of the repository, whose own packages no registry has',
  },
  { rule: 'one-importer-per-driver', path: 'bench/src/', what: 'imports pg,', reason: YARDSTICK },
  { rule: 'one-importer-per-driver', path: 'bench/src/', what: 'imports express,', reason: YARDSTICK },
  { rule: 'one-importer-per-driver', path: 'bench/src/', what: 'imports undici,', reason: YARDSTICK },
  {
    rule: 'one-importer-per-driver',
    path: 'bench/src/forwarders/',
    what: 'imports http-proxy-middleware,',
    reason: YARDSTICK,
  },
  { rule: 'one-importer-per-driver', path: 'bench/src/yardsticks/request-log.ts', what: 'pino', reason: YARDSTICK },
  {
    rule: 'one-importer-per-driver',
    path: 'bench/src/servers/token-issuer.ts',
    what: 'jose',
    reason: 'it stands in for the auth service, so that tokens cost the measured service what they cost in production',
  },
  {
    rule: 'one-importer-per-driver',
    path: 'bench/src/peers/sign-token.ts',
    what: 'jose',
    reason: 'it signs the tokens of the products that are measured beside ours',
  },
  {
    rule: 'one-importer-per-driver',
    path: 'libs/testkit/src/resources/test-database.ts',
    what: 'pg',
    reason: 'it makes and drops the databases of tests, also those of persistence, which it must not depend on',
  },
  {
    rule: 'one-importer-per-driver',
    path: 'libs/testkit/src/resources/test-bucket.ts',
    what: 'minio',
    reason: 'it makes and removes the buckets of tests, also those of the files service',
  },
  {
    rule: 'one-importer-per-driver',
    path: 'libs/testkit/src/backends/redis-groups/ask-redis.ts',
    what: 'ioredis',
    reason: 'it commands the servers of tests, also those of cache, which it must not depend on',
  },
  {
    rule: 'one-importer-per-driver',
    path: 'services/gateway/test/gateway-fixture.ts',
    what: 'jose',
    reason: 'it signs the tokens that the auth service would, among them wrong ones that auth never issues',
  },
  {
    rule: 'one-importer-per-driver',
    path: 'services/auth/src/sessions/session-service.int.test.ts',
    what: '@node-rs/argon2',
    reason: 'it needs hashes weaker than passwords makes, to see that a login replaces them',
  },
  {
    rule: 'environment-in-config',
    path: 'tools/bootstrap/',
    reason: 'it runs before config is installed and hands its environment to npm and the build',
  },
  { rule: 'environment-in-config', path: 'libs/testkit/', reason: TEST_PROCESS },
  {
    rule: 'declared-dependencies',
    path: 'libs/testkit/jest/',
    what: 'jest-',
    reason: 'jest loads these files, and is itself a development dependency',
  },
  {
    rule: 'declared-dependencies',
    path: 'libs/testkit/jest/',
    what: '@jest/',
    reason: 'jest loads these files, and is itself a development dependency',
  },
  {
    rule: 'services-apart',
    path: 'tools/lintel/src/',
    reason: 'the command line does beside the services what they do, with their code: users, documents, storages',
  },
  {
    rule: 'environment-in-config',
    path: 'site/src/publication.ts',
    reason: 'the site is built by itself, without the packages of the platform',
  },
  {
    rule: 'environment-in-config',
    path: 'bench/src/',
    reason: 'it hands its environment to the servers that it measures',
  },
  {
    rule: 'environment-in-config',
    path: 'deploy/services/start-services.mjs',
    reason: 'it hands its environment to the five processes, each of which reads and checks its own part',
  },
  {
    rule: 'environment-in-config',
    path: 'deploy/images/compile-ahead.mjs',
    reason: 'it runs while an image is built, and hands the service and its application on',
  },
  {
    rule: 'environment-in-config',
    path: 'deploy/images/empty-backends/start-empty-backends.mjs',
    reason: 'it runs while an image is built, and gives the service the addresses of backends in the same process',
  },
  {
    rule: 'environment-in-config',
    path: 'deploy/images/health-check.mjs',
    reason: 'it runs in a process of its own every few seconds and must not load a package for two variables',
  },
  {
    rule: 'no-folder-cycle',
    path: 'libs/documents/src/rendering/xlsx/',
    what: 'ring of types in libs/documents/src/rendering/xlsx (parts, placing, template, writing)',
    reason: 'the ring is older than the rule; one that differs by a folder is another ring',
  },
  { rule: 'package-exports', path: 'tests/e2e/', what: '../contract/api.ts', reason: 'both suites drive one client' },
  {
    rule: 'package-exports',
    path: 'deploy/standalone/test/delegation/',
    reason: 'the model of data judges auth and data together, with the fixtures of both',
  },
  ...['one-importer-per-driver', 'package-exports'].map((rule) => ({
    rule,
    path: 'tests/e2e/identity/',
    reason: 'these tests start what Lintel meets: clients, providers, a directory, a mail server; also those of auth',
  })),
  {
    rule: 'operations-without-express',
    path: 'services/gateway/src/',
    reason: 'the gateway has no operations: to forward requests is all it does, so every file may be of the edge',
  },
  ...OIDC_PROVIDER_FILES.map((name) => ({
    rule: 'operations-without-express',
    path: `services/auth/src/provider/${name}`,
    reason: 'oidc-provider takes the request and the response, answers by itself and hands both to its grants',
  })),
  {
    rule: 'errors-have-owners',
    path: 'services/files/src/uploads/',
    what: 'pipe()',
    reason:
      'a pipeline would destroy the request, whose connection is needed for the refusal; both ends have listeners',
  },
  {
    rule: 'errors-have-owners',
    path: 'services/data/src/controllers/send-upstream.ts',
    what: 'pipe()',
    reason: 'where the upstream fails, the connection of the client is still needed; both ends have listeners',
  },
  {
    rule: 'errors-have-owners',
    path: 'services/gateway/src/proxying/forward-response.ts',
    what: 'pipe()',
    reason: 'the pipeline before it owns the errors of the encoder, and destroys the response with them',
  },
  {
    rule: 'errors-have-owners',
    path: 'services/reports/src/history/record-document.ts',
    what: 'PassThrough',
    reason: 'it has its listener in the line below',
  },
  {
    rule: 'operations-without-express',
    path: 'services/files/src/guard-against-stall.ts',
    reason: 'it times the socket of a transfer, for the ends of the routes alone',
  },
  {
    rule: 'operations-without-express',
    path: 'services/files/src/transfers/transfer-limits.ts',
    reason: 'it counts transfers by their responses, for the ends of the routes alone',
  },
  {
    rule: 'imports-are-kept',
    path: 'tests/contract/openapi/typed-client/',
    what: 'imports ./schema.ts,',
    reason: 'the test generates it from the document of the running system',
  },
  {
    rule: 'imports-are-kept',
    path: 'tests/generated-clients/programs/',
    what: 'imports ./client/index.js,',
    reason: 'the test generates the client',
  },
  {
    rule: 'banned-words',
    path: 'libs/application/src/webhooks/webhook-entities.ts',
    what: 'in lane',
    reason: 'clients read the attribute by its name',
  },
  {
    rule: 'banned-words',
    path: 'tests/contract/webhooks.test.ts',
    what: 'in lane',
    reason: 'it reads that attribute',
  },
  {
    rule: 'banned-words',
    path: 'libs/documents/src/rendering/docx/html/text-style.ts',
    what: 'in mark',
    reason: 'it is an element of HTML',
  },
  {
    rule: 'banned-words',
    path: 'tools/lintel/test/introspected/',
    reason: 'generated from a database that names its columns so',
  },
  {
    rule: 'banned-words',
    path: 'libs/http/src/requests/body/drain-request.int.test.ts',
    what: 'in highWaterMark',
    reason: 'an option of the streams of Node',
  },
  {
    rule: 'banned-words',
    path: 'services/files/src/storage/parts/part-buffers.test.ts',
    what: 'in highWaterMark',
    reason: 'an option of the streams of Node',
  },
];

/** Whether a file as a whole is excepted from a rule. */
export const isExcepted = (rule: string, file: string): boolean =>
  EXCEPTIONS.some((one) => one.rule === rule && one.what === undefined && covers(one, file));

/** Whether the exception applies to the file. */
export const covers = ({ path }: Exception, file: string): boolean =>
  path.endsWith('/') ? file.startsWith(path) : file === path;
