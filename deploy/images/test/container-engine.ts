import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testEnvironment } from '@lintel/testkit';

const run = promisify(execFile);

/** A program that builds and runs images: `tools/test/images/container-engines.mjs`. */
export interface Engine {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly build: readonly string[];
}

/** The engines of this machine, one at least, into which the base images have been imported. */
export const ENGINES = JSON.parse(testEnvironment('LINTEL_TEST_ENGINES')) as readonly Engine[];
/** A clean checkout. */
export const SOURCES = testEnvironment('LINTEL_TEST_SOURCES');
export const SERVICES = ['gateway', 'auth', 'data', 'files', 'reports'] as const;

/** Runs a command of the engine; returns its output. @throws Error with the end of both outputs */
export async function engineOutput(engine: Engine, ...parameters: readonly string[]): Promise<string> {
  const [program = '', ...before] = engine.command;
  try {
    const { stdout } = await run(program, [...before, ...parameters], {
      env: { ...process.env, ...engine.env },
      maxBuffer: 256 * 1024 * 1024,
    });
    return stdout.trim();
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${engine.name}: ${parameters.slice(0, 3).join(' ')}\n${`${stdout}${stderr}`.slice(-4000)}`);
  }
}

/** Runs Docker Compose with the engine; returns its output. */
export async function composeOutput(engine: Engine, ...parameters: readonly string[]): Promise<string> {
  const [program = '', ...before] = JSON.parse(testEnvironment('LINTEL_TEST_COMPOSE')) as readonly string[];
  return engineOutput({ ...engine, command: [program, ...before] }, ...parameters);
}

/** Builds the image of a service from the clean checkout. */
export const buildImage = (engine: Engine, service: string, tag: string, ...more: readonly string[]) =>
  engineOutput(
    engine,
    'build',
    ...engine.build,
    '--file',
    `${SOURCES}/deploy/images/Dockerfile`,
    ...[
      'RUNTIME=plain',
      `SERVICE=${service}`,
      'BUILD_IMAGE=lintel-base:build',
      'RUNTIME_IMAGE=lintel-base:runtime',
    ].flatMap((argument) => ['--build-arg', argument]),
    ...more,
    '--tag',
    tag,
    SOURCES,
  );
