import type { BackendName, BackendSource, RunningBackend } from '../backend.ts';
import { unavailable } from '../backend.ts';

type NamedBackend = Exclude<BackendName, 'minio'>;

/** Variables that must be there; the first one decides whether the environment names the server at all. */
const REQUIRED: Readonly<Record<NamedBackend, readonly [string, ...string[]]>> = {
  postgres: ['LINTEL_TEST_POSTGRES_URL'],
  redis: ['LINTEL_TEST_REDIS_URL'],
  amqp: ['LINTEL_TEST_AMQP_URL'],
  s3: ['LINTEL_TEST_S3_URL', 'LINTEL_TEST_S3_ACCESS_KEY', 'LINTEL_TEST_S3_SECRET_KEY'],
  office: ['LINTEL_TEST_OFFICE_PROGRAM'],
  pdf: ['LINTEL_TEST_PDF_TO_TEXT', 'LINTEL_TEST_PDF_TO_PICTURES'],
  chromium: ['LINTEL_TEST_CHROMIUM_PROGRAM'],
  helm: ['LINTEL_TEST_HELM_PROGRAM', 'LINTEL_TEST_KUBECONFORM_PROGRAM'],
  kustomize: ['LINTEL_TEST_KUSTOMIZE_PROGRAM'],
  actionlint: ['LINTEL_TEST_ACTIONLINT_PROGRAM'],
  oci: ['LINTEL_TEST_REGISTRY_PROGRAM'],
  cosign: ['LINTEL_TEST_COSIGN_PROGRAM'],
  pgbouncer: ['LINTEL_TEST_PGBOUNCER_PROGRAM'],
  slapd: ['LINTEL_TEST_SLAPD_PROGRAM'],
};

/** A server that the caller named by its connection string. */
export function fromEnvironment(backend: NamedBackend): BackendSource {
  const names = REQUIRED[backend];
  return async ({ environment }): Promise<RunningBackend | ReturnType<typeof unavailable>> => {
    if (!environment[names[0]]) return unavailable(`${names[0]} is not set`);
    const missing = names.filter((name) => !environment[name]);
    if (missing.length > 0) throw new Error(`${names[0]} is set, but ${missing.join(' and ')} is not`);
    return {
      environment: Object.fromEntries(names.map((name) => [name, environment[name] ?? ''])),
      origin: names[0],
      stop: async () => undefined,
    };
  };
}
