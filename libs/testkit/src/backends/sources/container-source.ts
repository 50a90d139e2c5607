import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { type BackendName, type BackendSource, unavailable } from '../backend.ts';

type ContainedBackend = Extract<BackendName, 'redis' | 'amqp' | 's3'>;

interface ContainerRecipe {
  /** Variable that names another image. */
  readonly imageVariable: string;
  readonly image: string;
  readonly port: number;
  prepare(container: GenericContainer, kit: typeof import('testcontainers'), secret: string): GenericContainer;
  environment(container: StartedTestContainer, secret: string): Record<string, string>;
}

const address = (container: StartedTestContainer, port: number): string =>
  `${container.getHost()}:${container.getMappedPort(port)}`;

const RECIPES: Readonly<Record<ContainedBackend, ContainerRecipe>> = {
  redis: {
    imageVariable: 'LINTEL_TEST_REDIS_IMAGE',
    image: 'redis:7.4-alpine',
    port: 6379,
    prepare: (container) => container,
    environment: (container) => ({ LINTEL_TEST_REDIS_URL: `redis://${address(container, 6379)}` }),
  },
  amqp: {
    imageVariable: 'LINTEL_TEST_AMQP_IMAGE',
    image: 'rabbitmq:4.1-management-alpine',
    port: 5672,
    prepare: (container, kit) =>
      container.withExposedPorts(15672).withWaitStrategy(kit.Wait.forLogMessage(/Server startup complete/)),
    environment: (container) => ({
      LINTEL_TEST_AMQP_URL: `amqp://guest:guest@${address(container, 5672)}`,
      LINTEL_TEST_AMQP_MANAGEMENT_URL: `http://guest:guest@${address(container, 15672)}`,
    }),
  },
  s3: {
    imageVariable: 'LINTEL_TEST_S3_IMAGE',
    image: 'cgr.dev/chainguard/minio:latest',
    port: 9000,
    prepare: (container, kit, secret) =>
      container
        .withCommand(['server', '/tmp/data'])
        .withEnvironment({ MINIO_ROOT_USER: 'lintel-test', MINIO_ROOT_PASSWORD: secret })
        .withWaitStrategy(kit.Wait.forHttp('/minio/health/ready', 9000)),
    environment: (container, secret) => ({
      LINTEL_TEST_S3_URL: `http://${address(container, 9000)}`,
      LINTEL_TEST_S3_ACCESS_KEY: 'lintel-test',
      LINTEL_TEST_S3_SECRET_KEY: secret,
    }),
  },
};

/** A server in a container, where an engine is running. */
export function fromContainer(backend: ContainedBackend): BackendSource {
  const recipe = RECIPES[backend];
  return async ({ environment, onProgress }) => {
    if (!(await isEngineRunning())) return unavailable('no container engine responds');
    const image = environment[recipe.imageVariable] || recipe.image;
    onProgress(`Starting a container of ${image}`);
    const kit = await import('testcontainers');
    const secret = randomBytes(16).toString('hex');
    const container = recipe.prepare(new kit.GenericContainer(image).withExposedPorts(recipe.port), kit, secret);
    try {
      const started = await container.start();
      return {
        environment: recipe.environment(started, secret),
        origin: `container ${image}`,
        stop: async () => {
          await started.stop();
        },
      };
    } catch (error) {
      // An engine that cannot pull is as good as none: the next source is tried, and the reason is shown.
      return unavailable(`container ${image}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

/** Whether Docker or Podman responds to a ping; checked before the library is loaded, which fails slowly. */
async function isEngineRunning(): Promise<boolean> {
  const host = process.env['DOCKER_HOST'];
  if (host?.startsWith('tcp://')) return ping({ host: new URL(host).hostname, port: Number(new URL(host).port) });
  const sockets = [
    ...(host?.startsWith('unix://') ? [host.slice('unix://'.length)] : []),
    '/var/run/docker.sock',
    join(homedir(), '.docker', 'run', 'docker.sock'),
    `/run/user/${process.getuid?.() ?? 0}/docker.sock`,
  ];
  for (const socketPath of sockets) if (existsSync(socketPath) && (await ping({ socketPath }))) return true;
  return false;
}

function ping(target: {
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
}): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ ...target, path: '/_ping', timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.once('timeout', () => call.destroy());
    call.once('error', () => resolve(false));
    call.end();
  });
}
