import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment, setEnvironmentDefault } from '@lintel/config/environment';
import { Argument, Command } from 'commander';
import { applicationEnvironment } from '../application-context.ts';
import { CommandError } from '../command-error.ts';

const HELP =
  '\nPORT (8080) and LINTEL_HOME (.lintel) are variables; so is every property, such as SVC_DEMO_ENABLED=false.';

/** `lintel start`: what `npm start` of an application runs. */
export const startCommand = (): Command =>
  new Command('start')
    .description(
      'Start the application of this folder in one process, with the PostgreSQL of svc.datasource.url or one of its own.',
    )
    .addHelpText('after', HELP)
    .action(async () => {
      setApplicationVariables();
      // It shows and ends by itself, until a signal.
      await import('@lintel/standalone/main');
    });

const SERVICES = {
  auth: () => import('@lintel/auth/main'),
  data: () => import('@lintel/data/main'),
  files: () => import('@lintel/files/main'),
  gateway: () => import('@lintel/gateway/main'),
  reports: () => import('@lintel/reports/main'),
};
const serviceNames = Object.keys(SERVICES);

/** `lintel serve-service`: the command of containers of an application. */
export const serveServiceCommand = (): Command =>
  new Command('serve-service')
    .description('Start one service of the application of this folder, as a separate process.')
    .addArgument(new Argument('<service>').choices(serviceNames))
    .action(serveService);

async function serveService(service: keyof typeof SERVICES): Promise<void> {
  setApplicationVariables();
  setEnvironmentDefault('OTEL_SERVICE_NAME', `lintel-${service}`);
  // Tracing comes before the modules that it instruments.
  await import('@lintel/telemetry/register');
  await SERVICES[service]();
}

/** A worker is a data service that no gateway knows, with ports beside the ports of the services. */
const WORKER = {
  OTEL_SERVICE_NAME: 'lintel-worker',
  SVC_JOBS_ENABLED: 'true',
  SVC_DATA_PORT: '0',
  SVC_DATA_INTERNAL_PORT: '0',
  SVC_DATA_MANAGEMENT_PORT: '9185',
};

/** `lintel worker`: the jobs of an application, where its data services have `svc.jobs.enabled=false`. */
export const workerCommand = (): Command =>
  new Command('worker')
    .description('Run the jobs of the application of this folder, beside its services.')
    .addHelpText('after', '\nThe data services leave the jobs to it with SVC_JOBS_ENABLED=false.')
    .action(async () => {
      for (const [name, value] of Object.entries(WORKER)) setEnvironmentDefault(name, value);
      await serveService('data');
    });

/** `lintel compile-ahead`: the Dockerfile of an application runs it. */
export const compileAheadCommand = (): Command =>
  new Command('compile-ahead')
    .description(
      'Store the compiled code of all services and of the application of this folder, for NODE_COMPILE_CACHE.',
    )
    .argument('<folder>', 'where')
    .action(async (folder: string) => {
      const { compileAhead } = await import('./compile-ahead.ts');
      compileAhead(resolve(folder), serviceNames);
    });

/** `lintel dev`: what `npm run dev` of an application runs. */
export const devCommand = (): Command =>
  new Command('dev')
    .description('Start the application of this folder, and again after each change of its files.')
    .addHelpText('after', HELP)
    .action(async () => {
      setApplicationVariables();
      // It shows and ends by itself, until a signal.
      await import('@lintel/standalone/development');
    });

/**
 * Sets what a start of the application of this folder needs, where the environment does not have it.
 *
 * @throws CommandError where the folder has no application
 */
function setApplicationVariables(): void {
  const variables = environment();
  if (!existsSync('package.json') && variables['SVC_APPLICATION'] === undefined)
    throw new CommandError(
      'There is no application in this folder',
      'Go to its folder, or make one with "lintel init"',
    );
  const { SVC_APPLICATION: application } = applicationEnvironment(variables);
  if (application !== undefined) setEnvironmentDefault('SVC_APPLICATION', application);
  setEnvironmentDefault('LINTEL_HOME', resolve('.lintel'));
  setEnvironmentDefault('LINTEL_STARTED_AT', String(Date.now() - Math.round(performance.now())));
}
