import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment, setEnvironmentDefault } from '@lintel/config/environment';
import { Command } from 'commander';
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
