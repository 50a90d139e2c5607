import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { environment } from '@lintel/config/environment';
import { applicationEnvironment } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { type ConfigMode, reportConfig } from '../config/report-config.ts';
import { type ServiceName, SHAPES } from '../config/service-shapes.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { type DeployedService, readCompose } from './read-compose.ts';

interface Run {
  readonly mode?: ConfigMode;
  readonly service?: ServiceName;
}

/**
 * Prints all problems of the settings of a deployment, each with the services that have it. Returns 1 if there are any.
 *
 * @throws CommandError where the file cannot be read or has no service of the platform
 */
export async function checkDeployment(file: string, terminal: Terminal): Promise<ExitCode> {
  const text = readText(file);
  const isCompose = /\.ya?ml$/.test(file);
  const { services, unset } = isCompose
    ? readCompose(text, dirname(resolve(file)), environment())
    : { services: [{ name: 'all services', command: [], variables: parseEnv(text) }], unset: [] };
  const found = services.flatMap((service) => {
    const run: Run | undefined = isCompose ? runOf(service) : {};
    return run === undefined ? [] : [{ ...service, run }];
  });
  if (found.length === 0)
    throw new CommandError(`${file} starts no service of Lintel`, 'Its command names one: [serve-service, data]');
  const problems = new Map<string, string[]>(unset.map((variable) => [`${variable}: has no value`, [file]]));
  for (const { name, variables, run } of found)
    for (const problem of (await reportConfig(applicationEnvironment(variables), run)).problems)
      problems.set(problem, [...(problems.get(problem) ?? []), name]);
  const names = found.map(({ name }) => name).join(', ');
  if (problems.size === 0) terminal.print(`Nothing is missing for ${names}.`);
  for (const [problem, where] of problems) terminal.print(`✗ ${problem} (${where.join(', ')})`);
  return problems.size === 0 ? 0 : 1;
}

/** The service that the command or the name of a container says, or all of them in one process. */
function runOf({ name, command, variables }: DeployedService): Run | undefined {
  if (!Object.keys(variables).some((variable) => variable.startsWith('SVC_'))) return undefined;
  if (command.includes('start')) return { mode: 'standalone' };
  if (command[0] === 'worker') return { mode: 'services', service: 'data' };
  const names = [command[command.indexOf('serve-service') + 1], name];
  const service = names.find((each): each is ServiceName => each !== undefined && Object.hasOwn(SHAPES, each));
  return service && { mode: 'services', service };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(
      `${file} cannot be read: ${(error as Error).message}`,
      'Name a compose file, or a file of variables',
    );
  }
}
