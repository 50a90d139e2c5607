/** A file or folder where a rule does not hold, and why that is right. */
export interface Exception {
  /** Id of the rule. */
  readonly rule: string;
  /** A file, or a folder with `/` at the end. */
  readonly path: string;
  /** Only for findings that contain this text. */
  readonly what?: string | undefined;
  readonly reason: string;
}

const NODE_PACKAGES =
  'the command line names the npm packages of Node itself, in plain JavaScript without imports, and a clone has that file';
const IDENTITY_TESTS =
  'these tests start what Lintel meets: clients, providers, a directory, a mail server; also those of auth';
const JEST = 'jest loads these files, and is itself a development dependency';
const YARDSTICK = 'the yardsticks are the same service written by hand on the bare drivers, and know no lib on purpose';
const OIDC_PROVIDER =
  'oidc-provider takes the request and the response, answers by itself and hands both to its grants';
const STREAMS = 'an option of the streams of Node';

/** Reasons by rule, and by path; after a blank, only for findings that contain the text. */
const REASONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'package-exports': {
    'tools/bootstrap/installation/node-version.mjs': NODE_PACKAGES,
    'tests/e2e/ ../contract/api.ts': 'both suites drive one client',
    'deploy/standalone/test/delegation/': 'the model of data judges auth and data together, with the fixtures of both',
    'tests/e2e/identity/': IDENTITY_TESTS,
  },
  'bootstrap-needs-nothing': {
    'tools/bootstrap/installation/node-version.mjs': NODE_PACKAGES,
  },
  'services-apart': {
    'tools/reference/src/caches/declarations.ts':
      'a cache is declared beside its code: only who loads the services finds all declarations',
    'tools/lintel/src/':
      'the command line does beside the services what they do, with their code: users, documents, storages',
  },
  'declared-dependencies': {
    'tests/e2e/admin/page/ imports @lintel/':
      'its packages are installed apart from those of the repository, whose own packages no registry has',
    'libs/testkit/jest/ jest-': JEST,
    'libs/testkit/jest/ @jest/': JEST,
  },
  'one-importer-per-driver': {
    'bench/src/ imports pg,': YARDSTICK,
    'bench/src/ imports express,': YARDSTICK,
    'bench/src/ imports undici,': YARDSTICK,
    'bench/src/forwarders/ imports http-proxy-middleware,': YARDSTICK,
    'bench/src/yardsticks/request-log.ts pino': YARDSTICK,
    'bench/src/servers/stand-ins.ts jose':
      'it stands in for the auth service, so that tokens cost the measured service what they cost in production',
    'bench/src/peers/sign-token.ts jose': 'it signs the tokens of the products that are measured beside ours',
    'libs/testkit/src/resources/test-database.ts pg':
      'it makes and drops the databases of tests, also those of persistence, which it must not depend on',
    'libs/testkit/src/resources/test-bucket.ts minio':
      'it makes and removes the buckets of tests, also those of the files service',
    'libs/testkit/src/backends/redis-groups/ask-redis.ts ioredis':
      'it commands the servers of tests, also those of cache, which it must not depend on',
    'services/gateway/test/gateway-fixture.ts jose':
      'it signs the tokens that the auth service would, among them wrong ones that auth never issues',
    'services/auth/src/sessions/session-service.int.test.ts @node-rs/argon2':
      'it needs hashes weaker than passwords makes, to see that a login replaces them',
    'tests/contract/events/ amqplib': 'it consumes as programs of others do, which know no lib',
    'tests/e2e/identity/': IDENTITY_TESTS,
  },
  'environment-in-config': {
    'tools/bootstrap/': 'it runs before config is installed and hands its environment to npm and the build',
    'libs/testkit/': 'it provides the servers of the tests and hands its environment to programs that it starts',
    'site/src/publication.ts': 'the site is built by itself, without the packages of the platform',
    'bench/src/': 'it hands its environment to the servers that it measures',
    'deploy/services/start-services.mjs':
      'it hands its environment to the five processes, each of which reads and checks its own part',
    'deploy/images/compile-ahead.mjs': 'it runs while an image is built, and hands the service and its application on',
    'deploy/images/empty-backends/start-empty-backends.mjs':
      'it runs while an image is built, and gives the service the addresses of backends in the same process',
    'deploy/images/health-check.mjs':
      'it runs in a process of its own every few seconds and must not load a package for two variables',
  },
  'no-folder-cycle': {
    'libs/documents/src/rendering/xlsx/ ring of types in libs/documents/src/rendering/xlsx (parts, placing, template, writing)':
      'the ring is older than the rule; one that differs by a folder is another ring',
  },
  'operations-without-express': {
    'services/gateway/src/':
      'the gateway has no operations: to forward requests is all it does, so every file may be of the edge',
    'services/auth/src/provider/create-oauth-server.ts': OIDC_PROVIDER,
    'services/auth/src/provider/create-provider.ts': OIDC_PROVIDER,
    'services/auth/src/provider/device-flow.ts': OIDC_PROVIDER,
    'services/auth/src/provider/interactions.ts': OIDC_PROVIDER,
    'services/auth/src/provider/register-grants.ts': OIDC_PROVIDER,
    'services/auth/src/provider/replayed-request.ts': OIDC_PROVIDER,
    'services/auth/src/provider/grants/': OIDC_PROVIDER,
    'services/files/src/guard-against-stall.ts': 'it times the socket of a transfer, for the ends of the routes alone',
    'services/files/src/transfers/transfer-limits.ts':
      'it counts transfers by their responses, for the ends of the routes alone',
  },
  'errors-have-owners': {
    'services/files/src/uploads/ pipe()':
      'a pipeline would destroy the request, whose connection is needed for the refusal; both ends have listeners',
    'services/data/src/controllers/send-upstream.ts pipe()':
      'where the upstream fails, the connection of the client is still needed; both ends have listeners',
    'services/gateway/src/proxying/forward-response.ts pipe()':
      'the pipeline before it owns the errors of the encoder, and destroys the response with them',
    'services/reports/src/history/record-document.ts PassThrough': 'it has its listener in the line below',
  },
  'imports-are-kept': {
    'tests/contract/openapi/typed-client/ imports ./schema.ts,':
      'the test generates it from the document of the running system',
    'tests/generated-clients/programs/ imports ./client/index.js,': 'the test generates the client',
  },
  'banned-words': {
    'libs/application/src/webhooks/webhook-entities.ts in lane': 'clients read the attribute by its name',
    'tests/contract/webhooks.test.ts in lane': 'it reads that attribute',
    'libs/documents/src/rendering/docx/html/text-style.ts in mark': 'it is an element of HTML',
    'tools/lintel/test/introspected/': 'generated from a database that names its columns so',
    'libs/http/src/requests/body/drain-request.int.test.ts in highWaterMark': STREAMS,
    'services/files/src/storage/parts/part-buffers.test.ts in highWaterMark': STREAMS,
  },
};

/** All exceptions there are. One that excuses nothing any longer is reported, and is then to be removed. */
export const EXCEPTIONS: readonly Exception[] = Object.entries(REASONS).flatMap(([rule, excused]) =>
  Object.entries(excused).map(([key, reason]) => {
    const [path = '', ...words] = key.split(' ');
    return { rule, path, what: words.length === 0 ? undefined : words.join(' '), reason };
  }),
);

/** Whether a file as a whole is excepted from a rule. */
export const isExcepted = (rule: string, file: string): boolean =>
  EXCEPTIONS.some((one) => one.rule === rule && one.what === undefined && covers(one, file));

/** Whether the exception applies to the file. */
export const covers = ({ path }: Exception, file: string): boolean =>
  path.endsWith('/') ? file.startsWith(path) : file === path;
