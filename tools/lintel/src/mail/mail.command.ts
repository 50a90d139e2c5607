import { Command } from 'commander';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface PreviewMailOptions extends ApplicationOptions {
  readonly locale?: string;
  readonly data?: string;
  readonly html?: boolean;
}

/** `lintel mail …` */
export function mailCommand(context: CommandContext): Command {
  const group = new Command('mail').description('Mails of the application.');
  group
    .command('preview')
    .description('Print a mail with the values of its example, without sending it.')
    .argument('<name>', 'name of the mail')
    .option('--locale <locale>', 'locale of the receiver; the first one of the mail without it')
    .option('--data <file>', 'JSON file with the values, in place of the example')
    .option('--html', 'print the page alone, for a browser')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'print the texts as JSON, in one line')
    .action(handledBy(context, async () => (await import('./preview-mail.ts')).previewMail));
  return group;
}
