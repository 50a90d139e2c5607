import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ProvisionContext, Unavailable } from '../backend.ts';
import { unavailable } from '../backend.ts';
import { findProgram } from './find-program.ts';
import { findGo } from './go-toolchain.ts';
import { runToEnd } from './run-to-end.ts';

/** A program that `go install` builds. */
export interface GoProgram {
  readonly program: string;
  readonly module: string;
  /** Exact version: the file in the cache carries it. */
  readonly version: string;
  /** Niceness of its compilation, which runs concurrently with tests: a backend that is needed soon has a low one. */
  readonly niceness: number;
  /** Further parameters of `go install`. */
  readonly options?: readonly string[];
}

/** The last state of MinIO's sources; the project is archived. */
export const MINIO: GoProgram = {
  program: 'minio',
  module: 'github.com/minio/minio',
  version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
  niceness: 5,
};

/** Versity's S3 gateway. About a minute on two cores, once. */
export const VERSITY: GoProgram = {
  program: 'versitygw',
  module: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.8.0',
  niceness: 5,
  // Without optimization it compiles in two thirds of the time, and serves tests as well.
  options: ['-gcflags=all=-N -l'],
};

/** Renders and checks charts. About two minutes on two cores, once. */
export const HELM: GoProgram = {
  program: 'helm',
  module: 'helm.sh/helm/v3/cmd/helm',
  version: 'v3.22.0',
  niceness: 15,
};

/** Checks objects of Kubernetes against schemas. */
export const KUBECONFORM: GoProgram = {
  program: 'kubeconform',
  module: 'github.com/yannh/kubeconform/cmd/kubeconform',
  version: 'v0.8.0',
  niceness: 15,
};

/** Renders overlays. */
export const KUSTOMIZE: GoProgram = {
  program: 'kustomize',
  module: 'sigs.k8s.io/kustomize/kustomize/v5',
  version: 'v5.8.1',
  niceness: 15,
};

/** Checks workflows of GitHub. */
export const ACTIONLINT: GoProgram = {
  program: 'actionlint',
  module: 'github.com/rhysd/actionlint/cmd/actionlint',
  version: 'v1.7.12',
  niceness: 15,
};

/** The reference registry of images and charts. Some minutes on two cores, once. */
export const OCI_REGISTRY: GoProgram = {
  program: 'registry',
  module: 'github.com/distribution/distribution/v3/cmd/registry',
  version: 'v3.1.2',
  niceness: 15,
};

/** Signs what is released. Some minutes on two cores, once. */
export const COSIGN: GoProgram = {
  program: 'cosign',
  module: 'github.com/sigstore/cosign/v3/cmd/cosign',
  version: 'v3.1.3',
  niceness: 15,
};

/** Kept outside the repository, so that clones share it: `$LINTEL_CACHE`, or `lintel` in the user's cache. */
export function cacheFolder(): string {
  const { LINTEL_CACHE, XDG_CACHE_HOME } = process.env;
  return LINTEL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'lintel');
}

const fileOf = (program: GoProgram): string => join(cacheFolder(), 'bin', `${program.program}-${program.version}`);

/** The program, where an earlier run has built it. */
export const cachedProgram = (program: GoProgram): string | undefined =>
  existsSync(fileOf(program)) ? fileOf(program) : undefined;

/** The program, from the cache or from its sources. */
export async function goProgram(program: GoProgram, context: ProvisionContext): Promise<string | Unavailable> {
  return cachedProgram(program) ?? goInstall(program, context);
}

async function goInstall(program: GoProgram, context: ProvisionContext): Promise<string | Unavailable> {
  const go = await findGo(cacheFolder(), context.onProgress);
  if (typeof go !== 'string') return go;
  const target = `${program.module}@${program.version}`;
  context.onProgress(`Building ${target} (once; it takes a few minutes)`);
  mkdirSync(join(cacheFolder(), 'bin'), { recursive: true });
  const outputFolder = mkdtempSync(join(cacheFolder(), 'bin', 'building-'));
  try {
    const nice = findProgram('nice');
    const command = nice === undefined ? [go] : [nice, '-n', String(program.niceness), go];
    const parameters = ['install', '-trimpath', '-ldflags=-s -w', ...(program.options ?? []), target];
    const failure = await runToEnd([...command, ...parameters], {
      signal: context.signal,
      env: {
        ...process.env,
        GOBIN: outputFolder,
        GOFLAGS: '-buildvcs=false',
        CGO_ENABLED: '0',
        // A Go that is older than the sources ask for fetches the right one as a module.
        GOTOOLCHAIN: 'auto',
      },
    });
    if (failure !== undefined) return unavailable(`go install ${target}: ${failure}`);
    renameSync(join(outputFolder, program.program), fileOf(program));
    return fileOf(program);
  } finally {
    rmSync(outputFolder, { recursive: true, force: true });
  }
}
