/**
 * The backends of tests: four servers, programs for documents, and those that render for Kubernetes; tests start PgBouncer and slapd themselves. `s3` is any
 * S3 server; `minio` is always a MinIO, also where another server is `s3`, and sets the variables of `s3`.
 */
export const BACKENDS = [
  'postgres',
  'redis',
  'amqp',
  's3',
  'minio',
  'office',
  'pdf',
  'chromium',
  'helm',
  'kustomize',
  'actionlint',
  'oci',
  'cosign',
  'pgbouncer',
  'slapd',
] as const;
export type BackendName = (typeof BACKENDS)[number];

/** What people call them; also accepted in `LINTEL_TEST_ALLOW_MISSING`. */
export const PRODUCTS: Readonly<Record<BackendName, string>> = {
  postgres: 'postgresql',
  redis: 'redis',
  amqp: 'rabbitmq',
  s3: 's3',
  minio: 'minio',
  office: 'libreoffice',
  pdf: 'poppler',
  chromium: 'chromium',
  helm: 'helm',
  kustomize: 'kustomize',
  actionlint: 'actionlint',
  oci: 'registry',
  cosign: 'cosign',
  pgbouncer: 'pgbouncer',
  slapd: 'slapd',
};

/** A server that is ready, or a program that can be run. */
export interface RunningBackend {
  /** The `LINTEL_TEST_*` variables that lead to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where it came from, for people: `redis-server (Debian package)`. */
  readonly origin: string;
  /** Stops what was started for this run; nothing for a server that was there before. */
  stop(): Promise<void>;
}

/** What a source of servers may use. */
export interface ProvisionContext {
  /** Temporary folder of this run; removed afterwards. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (step: string) => void;
  /** Aborted when the backend is not needed any more. */
  readonly signal: AbortSignal;
}

/** One way to get a server: returns it, or a short reason why not. */
export type BackendSource = (context: ProvisionContext) => Promise<RunningBackend | Unavailable>;

export interface Unavailable {
  readonly unavailable: string;
}

export const unavailable = (reason: string): Unavailable => ({ unavailable: reason });
