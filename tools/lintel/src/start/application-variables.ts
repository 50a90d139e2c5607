import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment, setEnvironmentDefault } from '@lintel/config/environment';
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
  if (variables['SVC_CONFIG_FILE'] === undefined) setEnvironmentDefault('SVC_APPLICATION', '.');
  setEnvironmentDefault('LINTEL_HOME', resolve('.lintel'));
  setEnvironmentDefault('LINTEL_STARTED_AT', String(Date.now() - Math.round(performance.now())));
}
