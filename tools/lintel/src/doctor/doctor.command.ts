import { Command } from 'commander';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

/** `lintel doctor` */
export const doctorCommand = (context: CommandContext): Command =>
  new Command('doctor')
    .description('Check that everything is there that the application needs; exit code 1 and a remedy where it is not.')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--url <url>', 'PostgreSQL URL (svc.datasource.url)')
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      '\nLooks at the mode that the configuration describes: with SVC_REDIS_… or SVC_BROKER_URLS the five services and\ntheir backends, otherwise "npm start" of this folder.',
    )
    .action(handledBy(context, async () => (await import('./doctor.ts')).doctor));
