import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMPOSE_MODULE = 'github.com/docker/compose/v2';
const COMPOSE = 'v2.40.3';
const START_TIMEOUT_MS = 60_000;
/** Higher ones than the machine's own are refused to a daemon without CAP_SYS_RESOURCE. */
const LIMITS = ['nofile=10000:10000', 'nproc=1000:1000'];

/**
 * A program that builds and runs images.
 *
 * @typedef {{ name: string, command: readonly string[], env: Record<string, string>, build: readonly string[] }} Engine
 *   `build` has further parameters of a build
 */

const programsNamed = (name) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter(existsSync);

const outputOf = async (program, parameters, env = {}) =>
  (await run(program, parameters, { env: { ...process.env, ...env } }).catch(() => undefined))?.stdout.trim();

/**
 * The engines of this machine. Where no Docker daemon responds, starts one with its data in the folder, as root.
 *
 * @param {string} folder
 * @returns {Promise<{ engines: readonly Engine[], missing: readonly string[], stop(): Promise<void> }>} `missing` has a
 *   sentence for each engine that cannot be used
 */
export async function openEngines(folder) {
  const daemon = await openDocker(folder);
  const podman = await openPodman(folder);
  const missing = [daemon, podman].map(({ reason }) => reason).filter((reason) => reason !== undefined);
  return {
    engines: [...(daemon.engines ?? []), ...(podman.engines ?? [])],
    missing,
    stop: async () => daemon.stop?.(),
  };
}

async function openDocker(folder) {
  const clients = programsNamed('docker');
  if (clients.length === 0) return { reason: 'Docker is not installed' };
  const started = await startDaemon(folder, clients[0]);
  if (started.reason !== undefined) return started;
  const env = started.host === undefined ? {} : { DOCKER_HOST: started.host };
  const version = await outputOf(clients[0], ['version', '--format', '{{.Server.Version}}'], env);
  // A newer client needs a plugin for BuildKit; a client of the same version contains it.
  const versions = await Promise.all(
    clients.map((client) => outputOf(client, ['version', '--format', '{{.Client.Version}}'], env)),
  );
  const client = clients[Math.max(0, versions.indexOf(version))];
  const engine = (name, buildKit) => ({
    name: `${name} ${version}`,
    command: [client],
    env: { ...env, DOCKER_BUILDKIT: buildKit },
    build: [],
  });
  return { engines: [engine('Docker with BuildKit', '1'), engine('Docker without BuildKit', '0')], stop: started.stop };
}

async function startDaemon(folder, client) {
  if ((await outputOf(client, ['info', '--format', '{{.ServerVersion}}'])) !== undefined) return {};
  const [program] = programsNamed('dockerd');
  if (program === undefined || process.getuid() !== 0)
    return { reason: 'No Docker daemon responds, and none can be started: it needs dockerd, and root' };
  mkdirSync(folder, { recursive: true });
  const host = `unix://${join(folder, 'docker.sock')}`;
  const log = join(folder, 'dockerd.log');
  const limits = LIMITS.flatMap((limit) => ['--default-ulimit', limit]);
  const folders = ['data-root', 'exec-root'].flatMap((name) => [`--${name}`, join(folder, name)]);
  const daemon = spawn(program, ['--host', host, '--pidfile', join(folder, 'dockerd.pid'), ...folders, ...limits], {
    stdio: ['ignore', openSync(log, 'a'), openSync(log, 'a')],
  });
  const ended = new Promise((resolve) => daemon.once('close', resolve));
  const stop = async () => {
    daemon.kill('SIGTERM');
    await ended;
  };
  const endMs = Date.now() + START_TIMEOUT_MS;
  while (daemon.exitCode === null && Date.now() < endMs) {
    if ((await outputOf(client, ['info'], { DOCKER_HOST: host })) !== undefined) return { host, stop };
    await setTimeout(500);
  }
  await stop();
  return { reason: `The Docker daemon cannot be started: ${readFileSync(log, 'utf8').trim().split('\n').at(-1)}` };
}

/**
 * The command of Docker Compose v2: installed, or built from its sources, once.
 *
 * @param {Engine} engine
 * @param {string} cache
 * @returns {Promise<readonly string[] | undefined>}
 */
export async function findCompose({ command, env }, cache) {
  const built = join(cache, 'bin', `docker-compose-${COMPOSE}`);
  const known = [[command[0], 'compose'], ...[...programsNamed('docker-compose'), built].map((program) => [program])];
  for (const [program, ...before] of known)
    if (/^v?[2-9]/.test(await outputOf(program, [...before, 'version', '--short'], env))) return [program, ...before];
  const sources = join(cache, 'compose');
  mkdirSync(sources, { recursive: true });
  // As a dependency: `go install` refuses the sources for their `exclude` lines.
  writeFileSync(join(sources, 'go.mod'), 'module compose\n');
  writeFileSync(join(sources, 'compose.go'), `package compose\n\nimport _ "${COMPOSE_MODULE}/cmd"\n`);
  const options = { cwd: sources, env: { ...process.env, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' } };
  const version = `-X ${COMPOSE_MODULE}/internal.Version=${COMPOSE}`;
  try {
    await run('go', ['get', `${COMPOSE_MODULE}@${COMPOSE}`], options);
    await run('go', ['build', '-ldflags', `-s -w ${version}`, '-o', built, `${COMPOSE_MODULE}/cmd`], options);
  } catch {
    return undefined;
  }
  return [built];
}

async function openPodman(folder) {
  const [program] = programsNamed('podman');
  if (program === undefined) return { reason: 'Podman is not installed' };
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, 'containers.conf');
  const limits = JSON.stringify(LIMITS);
  // crun refuses machines with cgroups of both versions.
  writeFileSync(
    settings,
    `[containers]\ndefault_ulimits = ${limits}\n[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\n`,
  );
  const command = [program, '--root', join(folder, 'podman'), '--runroot', join(folder, 'podman-run')];
  const env = { CONTAINERS_CONF: settings };
  const version = await outputOf(program, [...command.slice(1), 'version', '--format', '{{.Client.Version}}'], env);
  if (version === undefined) return { reason: 'Podman cannot be used by this user' };
  return { engines: [{ name: `Podman ${version}`, command, env, build: ['--timestamp', '0'] }] };
}
