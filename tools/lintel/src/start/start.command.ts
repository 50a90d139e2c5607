import { Command } from 'commander';
import { setApplicationVariables } from './application-variables.ts';

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
