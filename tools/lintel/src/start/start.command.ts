import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment, setEnvironmentDefault } from '@lintel/config/environment';
import { Command } from 'commander';
import { CommandError } from '../command-error.ts';

/** `lintel start`: what `npm start` of an application runs. */
export const startCommand = (): Command =>
  new Command('start')
    .description(
      'Start the application of this folder in one process, with the PostgreSQL of svc.datasource.url or one of its own.',
    )
    .addHelpText(
      'after',
      '\nPORT (8080) and LINTEL_HOME (.lintel) are variables; so is every property, such as SVC_DEMO_ENABLED=false.',
    )
    .action(async () => {
      const variables = environment();
      if (!existsSync('package.json') && variables['SVC_APPLICATION'] === undefined)
        throw new CommandError(
          'There is no application in this folder',
          'Go to its folder, or make one with "lintel init"',
        );
      if (variables['SVC_CONFIG_FILE'] === undefined) setEnvironmentDefault('SVC_APPLICATION', '.');
      setEnvironmentDefault('LINTEL_HOME', resolve('.lintel'));
      setEnvironmentDefault('LINTEL_STARTED_AT', String(Date.now() - Math.round(performance.now())));
      // It shows and ends by itself, until a signal.
      await import('@lintel/standalone/main');
    });
