import { Command } from 'commander';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

/** `lintel report …` */
export function reportCommand(context: CommandContext): Command {
  const group = new Command('report').description('Reports and their templates.');
  group
    .command('check')
    .description(
      'Compare templates with the bands and fields of their reports; exit code 1 for errors, not for warnings. Without files: the reports of the application.',
    )
    .argument('[definition]', 'JSON file with the definition of a report, as the API has it')
    .argument('[templates...]', 'files of its templates')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'print the problems as JSON, in one line')
    .action(handledBy(context, async () => (await import('./check-reports.ts')).checkReports));
  return group;
}
