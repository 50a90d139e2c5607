import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment, setEnvironmentDefault } from '@lintel/config/environment';
import { applicationEnvironment } from '../application-context.ts';
import { CommandError } from '../command-error.ts';

/**
 * Sets what a start of the application of this folder needs, where the environment does not have it.
 *
 * @throws CommandError where the folder has no application
 */
export function setApplicationVariables(): void {
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
