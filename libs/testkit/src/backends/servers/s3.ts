import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { type BackendSource, type RunningBackend, unavailable } from '../backend.ts';
import { type ChildServer, respondsOk, startChildServer } from '../child-server.ts';
import { findProgram } from '../sources/find-program.ts';
import { cachedProgram, goProgram, MINIO, VERSITY } from '../sources/go-install.ts';

/** MinIO as a program: installed, or built by an earlier run. */
export const minioFromProgram: BackendSource = async ({ folder }) => {
  const program = cachedProgram(MINIO) ?? findProgram('minio');
  return program === undefined ? unavailable('minio is not installed') : startS3(folder, program, startMinio);
};

/** MinIO from its sources; it publishes no programs any more. */
export const minioFromSource: BackendSource = async (context) => {
  const program = await goProgram(MINIO, context);
  return typeof program === 'string' ? startS3(context.folder, program, startMinio) : program;
};

/** An S3 server as a program, installed or built by an earlier run: MinIO, else Versity's gateway. */
export const s3FromProgram: BackendSource = async (context) => {
  const minio = await minioFromProgram(context);
  if (!('unavailable' in minio)) return minio;
  const versity = cachedProgram(VERSITY) ?? findProgram('versitygw');
  if (versity !== undefined) return startS3(context.folder, versity, startVersity);
  return unavailable('neither minio nor versitygw is installed');
};

/** Versity's gateway from its sources: it takes a tenth of the time that MinIO takes to compile. */
export const s3FromSource: BackendSource = async (context) => {
  const program = await goProgram(VERSITY, context);
  return typeof program === 'string' ? startS3(context.folder, program, startVersity) : program;
};

export interface S3Start {
  readonly folder: string;
  readonly program: string;
  readonly port: number;
  readonly accessKey: string;
  readonly secretKey: string;
}

async function startS3(
  folder: string,
  program: string,
  start: (options: S3Start) => Promise<ChildServer>,
): Promise<RunningBackend> {
  const accessKey = `key${randomBytes(6).toString('hex')}`;
  const secretKey = randomBytes(16).toString('hex');
  const port = await freeLoopbackPort();
  const server = await start({ folder, program, port, accessKey, secretKey });
  return {
    environment: {
      LINTEL_TEST_S3_URL: `http://127.0.0.1:${port}`,
      LINTEL_TEST_S3_ACCESS_KEY: accessKey,
      LINTEL_TEST_S3_SECRET_KEY: secretKey,
    },
    origin: program,
    stop: () => server.stop(),
  };
}

/** Starts MinIO on a port that the caller chose; its data stays in the folder when it is started again. */
function startMinio({ folder, program, port, accessKey, secretKey }: S3Start): Promise<ChildServer> {
  const data = join(folder, `minio-${port}`);
  mkdirSync(data, { recursive: true });
  return startChildServer({
    name: `minio-${port}`,
    program,
    parameters: ['server', '--quiet', '--address', `127.0.0.1:${port}`, data],
    folder,
    environment: {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
      MINIO_CALLHOME_ENABLE: 'off',
    },
    isReady: () => respondsOk(`http://127.0.0.1:${port}/minio/health/ready`),
  });
}

/** Starts Versity's gateway on a folder. Metadata are kept in files: not every file system has extended attributes. */
function startVersity({ folder, program, port, accessKey, secretKey }: S3Start): Promise<ChildServer> {
  const [data, metadata] = ['data', 'metadata'].map((part) => join(folder, `versitygw-${port}`, part)) as [
    string,
    string,
  ];
  for (const each of [data, metadata]) mkdirSync(each, { recursive: true });
  return startChildServer({
    name: `versitygw-${port}`,
    program,
    parameters: [
      ...['--port', `127.0.0.1:${port}`, '--health', '/health', '--quiet', '--keep-alive'],
      ...['posix', '--sidecar', metadata, data],
    ],
    folder,
    environment: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
    isReady: () => respondsOk(`http://127.0.0.1:${port}/health`),
  });
}
