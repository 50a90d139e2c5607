import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  BACKENDS,
  type BackendName,
  type BackendSource,
  PRODUCTS,
  type ProvisionContext,
  type RunningBackend,
} from './backend.ts';
import { createRunFolder } from './run-folder.ts';
import { postgresFromNpm } from './servers/postgres.ts';
import { rabbitFromProgram } from './servers/rabbitmq.ts';
import { redisFromProgram } from './servers/redis.ts';
import { minioFromProgram, minioFromSource, s3FromProgram, s3FromSource } from './servers/s3.ts';
import { fromContainer } from './sources/container-source.ts';
import { fromDebianPackage } from './sources/debian-package-source.ts';
import { fromEnvironment } from './sources/environment-source.ts';
import {
  actionlintFromSource,
  cosignFromSource,
  helmFromSource,
  kustomizeFromSource,
  ociRegistryFromSource,
} from './sources/kubernetes-programs.ts';
import {
  CHROMIUM_PACKAGES,
  chromiumPrograms,
  OFFICE_PACKAGES,
  officePrograms,
  pdfPrograms,
  pgBouncerProgram,
  slapdProgram,
} from './sources/programs.ts';

/** In the order in which they are tried. */
const SOURCES: Readonly<Record<BackendName, readonly BackendSource[]>> = {
  postgres: [fromEnvironment('postgres'), postgresFromNpm],
  redis: [
    fromEnvironment('redis'),
    fromContainer('redis'),
    redisFromProgram,
    fromDebianPackage('redis-server', redisFromProgram),
  ],
  amqp: [
    fromEnvironment('amqp'),
    fromContainer('amqp'),
    rabbitFromProgram,
    fromDebianPackage('rabbitmq-server', rabbitFromProgram),
  ],
  s3: [fromEnvironment('s3'), fromContainer('s3'), s3FromProgram, s3FromSource],
  // Containers of `s3` are of MinIO.
  minio: [minioFromProgram, fromContainer('s3'), minioFromSource],
  office: [fromEnvironment('office'), officePrograms, fromDebianPackage(OFFICE_PACKAGES, officePrograms)],
  pdf: [fromEnvironment('pdf'), pdfPrograms, fromDebianPackage('poppler-utils', pdfPrograms)],
  chromium: [fromEnvironment('chromium'), chromiumPrograms, fromDebianPackage(CHROMIUM_PACKAGES, chromiumPrograms)],
  helm: [fromEnvironment('helm'), helmFromSource],
  kustomize: [fromEnvironment('kustomize'), kustomizeFromSource],
  actionlint: [fromEnvironment('actionlint'), actionlintFromSource],
  oci: [fromEnvironment('oci'), ociRegistryFromSource],
  cosign: [fromEnvironment('cosign'), cosignFromSource],
  pgbouncer: [fromEnvironment('pgbouncer'), pgBouncerProgram, fromDebianPackage('pgbouncer', pgBouncerProgram)],
  slapd: [fromEnvironment('slapd'), slapdProgram, fromDebianPackage('slapd', slapdProgram)],
};

const REMEDIES: Readonly<Record<BackendName, string>> = {
  postgres: 'run "npm ci", or set LINTEL_TEST_POSTGRES_URL=postgres://user:password@host:port/database (a superuser)',
  redis: 'install redis-server, start a container engine, or set LINTEL_TEST_REDIS_URL=redis://host:port',
  amqp: 'install rabbitmq-server, start a container engine, or set LINTEL_TEST_AMQP_URL=amqp://user:password@host:port and LINTEL_TEST_AMQP_MANAGEMENT_URL=http://user:password@host:15672',
  s3: 'install Go, minio or versitygw, start a container engine, or set LINTEL_TEST_S3_URL=http://host:port with LINTEL_TEST_S3_ACCESS_KEY and LINTEL_TEST_S3_SECRET_KEY',
  minio: 'install Go or minio, or start a container engine',
  office: 'install LibreOffice (Calc and Writer), or set LINTEL_TEST_OFFICE_PROGRAM=/path/of/soffice',
  pdf: 'install poppler-utils, or set LINTEL_TEST_PDF_TO_TEXT=/path/of/pdftotext and LINTEL_TEST_PDF_TO_PICTURES=/path/of/pdftoppm',
  chromium: 'install Chromium, or set LINTEL_TEST_CHROMIUM_PROGRAM=/path/of/chromium',
  helm: 'install Go, or set LINTEL_TEST_HELM_PROGRAM=/path/of/helm and LINTEL_TEST_KUBECONFORM_PROGRAM=/path/of/kubeconform',
  pgbouncer: 'install pgbouncer, or set LINTEL_TEST_PGBOUNCER_PROGRAM=/path/of/pgbouncer',
  slapd: 'install slapd, or set LINTEL_TEST_SLAPD_PROGRAM=/path/of/slapd',
  kustomize: 'install Go, or set LINTEL_TEST_KUSTOMIZE_PROGRAM=/path/of/kustomize',
  actionlint: 'install Go, or set LINTEL_TEST_ACTIONLINT_PROGRAM=/path/of/actionlint',
  oci: 'install Go, or set LINTEL_TEST_REGISTRY_PROGRAM=/path/of/registry',
  cosign: 'install Go, or set LINTEL_TEST_COSIGN_PROGRAM=/path/of/cosign',
};

export interface ProvidedBackends {
  /** All `LINTEL_TEST_*` variables that lead to the servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** The source of each server, in the requested order. */
  readonly origins: readonly { readonly backend: BackendName; readonly origin: string; readonly seconds: number }[];
  /** Servers that were allowed to be absent, and are. */
  readonly missing: readonly { readonly backend: BackendName; readonly reason: string }[];
  stop(): Promise<void>;
}

/** What became of one backend: it runs, it is absent and may be, or it cannot be had (with the remedy). */
export type BackendResult = { readonly backend: BackendName } & (
  | { readonly running: RunningBackend; readonly seconds: number }
  | { readonly missing: string }
  | { readonly error: string }
);

/** Backends that are on their way. */
export interface Provision {
  /** Settled when every backend has its result; it never fails. */
  readonly results: Promise<readonly BackendResult[]>;
  /** Ends what was started, and what is being built. */
  stop(): Promise<void>;
}

/** Compiled where no earlier run has done it: one after the other in this order, so that the first is there soon. */
const COMPILED: readonly BackendName[] = ['s3', 'minio', 'helm', 'kustomize', 'actionlint', 'oci', 'cosign'];

/** Gets the backends, each from the first source that has it, and reports each as soon as its result is known. */
export function startProvision(
  wanted: readonly BackendName[],
  onProgress: (step: string) => void,
  onResult: (result: BackendResult) => void = () => undefined,
): Provision {
  const allowed = allowedToBeMissing(process.env['LINTEL_TEST_ALLOW_MISSING']);
  const folder = createRunFolder();
  const stopping = new AbortController();
  const resultOf = async (backend: BackendName): Promise<BackendResult> => {
    const begin = performance.now();
    try {
      const own = join(folder.path, backend);
      mkdirSync(own, { mode: 0o755 });
      const context = { folder: own, environment: process.env, onProgress, signal: stopping.signal };
      const running = await obtain(backend, context);
      return { backend, running, seconds: (performance.now() - begin) / 1000 };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (allowed.has(backend)) return { backend, missing: reason };
      return { backend, error: `${PRODUCTS[backend]} cannot be had: ${reason}. To provide it: ${REMEDIES[backend]}.` };
    }
  };
  let compiled: Promise<unknown> = Promise.resolve();
  const results = BACKENDS.filter((backend) => wanted.includes(backend)).map((backend) => {
    const result = COMPILED.includes(backend) ? compiled.then(() => resultOf(backend)) : resultOf(backend);
    if (COMPILED.includes(backend)) compiled = result;
    return result.then((known) => {
      onResult(known);
      return known;
    });
  });
  return {
    results: Promise.all(results),
    async stop() {
      stopping.abort();
      const known = await Promise.all(results);
      await Promise.allSettled(known.map((result) => ('running' in result ? result.running.stop() : undefined)));
      folder.remove();
    },
  };
}

/**
 * Gets the servers, each from the first source that has it.
 *
 * @throws Error that names every server that cannot be had, the reasons and the remedy
 */
export async function provide(
  wanted: Readonly<Partial<Record<BackendName, boolean>>>,
  onProgress: (step: string) => void = () => undefined,
): Promise<ProvidedBackends> {
  const provision = startProvision(
    BACKENDS.filter((backend) => wanted[backend]),
    onProgress,
  );
  const results = await provision.results;
  const problems = results.flatMap((result) => ('error' in result ? [result.error] : []));
  if (problems.length > 0) {
    await provision.stop();
    throw new Error(problems.join('\n'));
  }
  const running = results.flatMap((result) => ('running' in result ? [result] : []));
  return {
    environment: Object.assign({}, ...running.map((entry) => entry.running.environment)),
    origins: running.map(({ backend, running: { origin }, seconds }) => ({ backend, origin, seconds })),
    missing: results.flatMap((result) =>
      'missing' in result ? [{ backend: result.backend, reason: result.missing }] : [],
    ),
    stop: () => provision.stop(),
  };
}

async function obtain(backend: BackendName, context: ProvisionContext): Promise<RunningBackend> {
  const reasons: string[] = [];
  for (const source of SOURCES[backend]) {
    const result = await source({
      ...context,
      onProgress: (step) => context.onProgress(`${PRODUCTS[backend]}: ${step}`),
    });
    if (!('unavailable' in result)) return result;
    reasons.push(result.unavailable);
  }
  throw new Error(reasons.join('; '));
}

/** `LINTEL_TEST_ALLOW_MISSING`: names separated by commas, of the product (then of all its servers) or of the variable. */
export function allowedToBeMissing(value: string | undefined): ReadonlySet<BackendName> {
  const names = (value ?? '').split(',').map((name) => name.trim().toLowerCase());
  const allowed = new Set<BackendName>();
  for (const name of names.filter(Boolean)) {
    const backends = BACKENDS.filter((entry) => entry === name || PRODUCTS[entry] === name);
    if (backends.length === 0) {
      const products = [...new Set(Object.values(PRODUCTS))].join(', ');
      throw new Error(`LINTEL_TEST_ALLOW_MISSING names "${name}"; it may name ${products}.`);
    }
    for (const backend of backends) allowed.add(backend);
  }
  return allowed;
}
