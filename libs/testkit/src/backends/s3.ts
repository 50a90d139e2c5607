import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeLoopbackPort } from '@lintel/embedded-database';
import { type BackendSource, type RunningBackend, unavailable } from './backend.ts';
import { answersOk, type ChildServer, startChildServer } from './child-server.ts';
import { findProgram } from './find-program.ts';
import { buildMinio, buildSeaweed, cachedProgram, MINIO, SEAWEED } from './go-install.ts';

/** An S3 server as a program: installed, or built by an earlier run. */
export const s3FromProgram: BackendSource = async (context) => {
  const minio = cachedProgram(MINIO) ?? findProgram('minio');
  if (minio !== undefined) return startS3(context.folder, minio, startMinio);
  const seaweed = cachedProgram(SEAWEED) ?? findProgram('weed');
  if (seaweed !== undefined) return startS3(context.folder, seaweed, startSeaweed);
  return unavailable('neither minio nor weed is installed');
};

/** An S3 server from its sources: MinIO, which publishes no programs any more, else SeaweedFS. */
export const s3FromSource: BackendSource = async (context) => {
  const minio = await buildMinio(context);
  if (typeof minio === 'string') return startS3(context.folder, minio, startMinio);
  context.onProgress(`MinIO cannot be built (${minio.unavailable}); trying SeaweedFS`);
  const seaweed = await buildSeaweed(context);
  if (typeof seaweed === 'string') return startS3(context.folder, seaweed, startSeaweed);
  return unavailable(`MinIO: ${minio.unavailable}; SeaweedFS: ${seaweed.unavailable}`);
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
export function startMinio({ folder, program, port, accessKey, secretKey }: S3Start): Promise<ChildServer> {
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
    isReady: () => answersOk(`http://127.0.0.1:${port}/minio/health/ready`),
  });
}

/** Starts SeaweedFS: master, volume server, filer and S3 gateway in one process. */
export async function startSeaweed({ folder, program, port, accessKey, secretKey }: S3Start): Promise<ChildServer> {
  const data = join(folder, `seaweed-${port}`);
  mkdirSync(data, { recursive: true });
  const configuration = join(data, 's3.json');
  const identity = {
    name: 'test',
    credentials: [{ accessKey, secretKey }],
    actions: ['Admin', 'Read', 'Write', 'List', 'Tagging'],
  };
  writeFileSync(configuration, JSON.stringify({ identities: [identity] }), { mode: 0o600 });
  const freePortFlag = async (name: string): Promise<string> => `-${name}=${await freeLoopbackPort()}`;
  return startChildServer({
    name: `seaweed-${port}`,
    program,
    parameters: [
      'server',
      `-dir=${data}`,
      '-ip=127.0.0.1',
      '-ip.bind=127.0.0.1',
      await freePortFlag('master.port'),
      await freePortFlag('master.port.grpc'),
      await freePortFlag('volume.port'),
      await freePortFlag('volume.port.grpc'),
      '-volume.max=0',
      '-master.volumeSizeLimitMB=1024',
      '-filer',
      await freePortFlag('filer.port'),
      await freePortFlag('filer.port.grpc'),
      '-s3',
      `-s3.port=${port}`,
      await freePortFlag('s3.port.grpc'),
      `-s3.config=${configuration}`,
    ],
    folder,
    isReady: () => answersOk(`http://127.0.0.1:${port}/healthz`),
  });
}
