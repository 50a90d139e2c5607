import { Command, Option } from 'commander';
import { collect } from '../administration/application-command.ts';
import type { ApplicationOptions } from '../application-context.ts';
import { handledBy } from '../handled-by.ts';
import type { CommandContext } from '../program.ts';

export interface ReplayOptions extends ApplicationOptions {
  readonly since: string;
  readonly until?: string;
  readonly type?: readonly string[];
  readonly entity?: readonly string[];
  readonly subject?: readonly string[];
  readonly dryRun?: boolean;
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

export interface DeadLettersOptions extends ApplicationOptions {
  readonly service?: readonly string[];
  /** Dead letters of the application at the broker that it shares with others. */
  readonly exchange?: boolean;
}

export interface EventTypesOptions {
  readonly output?: string;
  readonly json?: boolean;
}

/** Options of commands for dead letters that are named by ids, or all together. */
export interface ChosenDeadLettersOptions extends DeadLettersOptions {
  readonly all?: boolean;
  readonly type?: readonly string[];
  readonly dryRun?: boolean;
}

/** `lintel events …` */
export function eventsCommand(context: CommandContext): Command {
  const group = new Command('events').description('Events of the application and between services.');
  group
    .command('replay')
    .description('Publish events of the outbox again, to all who listen now; services go on meanwhile.')
    .requiredOption('--since <time>', 'changes from then on: 2026-11-21T10:00:00Z, or 90m, 2h, 1d ago')
    .option('--until <time>', 'changes before then; the present without it')
    .option('--type <type>', 'events of this type, such as data.user.changed.v1; may be repeated', collect)
    .option('--entity <name>', 'changes of instances of this entity; may be repeated', collect)
    .option(
      '--subject <subject>',
      'events about this, such as sales_Order/<id> or a user name; may be repeated',
      collect,
    )
    .option('--dry-run', 'count them and publish nothing')
    .option('--no-wait', 'do not wait until they are sent')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--url <url>', 'PostgreSQL URL (svc.datasource.url); the database of this folder without it')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nThe data services send them in the order of the changes; new changes are sent after them. Events are kept for a day\nafter they were published. Exit code 1: no data service sends them now; they are sent when a data service and its\nbroker run.',
    )
    .action(handledBy(context, async () => (await import('./replay-events.ts')).replayEvents));
  group
    .command('check')
    .description('Compare the events of the application with an earlier document; no server has to run.')
    .argument('<file>', 'AsyncAPI document of the last release, as "lintel asyncapi" wrote it')
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'print the contradictions as JSON')
    .addHelpText(
      'after',
      '\nA version of an event may get optional members; any other change is a new version. Exit code 1: there are other\nchanges.',
    )
    .action(handledBy(context, async () => (await import('./check-events.ts')).checkEvents));
  group
    .command('types')
    .description('Write the events of another application as typed declarations for onEvent; no server has to run.')
    .argument('<file>', 'AsyncAPI document of the other application, as "lintel asyncapi" wrote it')
    .option('-o, --output <file>', 'where they are written; standard output without it')
    .option('--json', 'with --output: print what was written as JSON')
    .action(handledBy(context, async () => (await import('./write-event-types.ts')).writeEventTypes));
  deadLetterCommand(
    group.command('dead').description('List the events that handlers of the services did not accept.'),
  ).action(handledBy(context, async () => (await import('./dead-letters.ts')).listDead));
  chosenDeadLettersCommand(
    group.command('retry').description('Send events to the handlers again that did not accept them.'),
    'list them and send nothing',
  )
    .addHelpText(
      'after',
      '\nThe queue of the handler gets the event, after those that it has. An event that is not accepted is listed again.\nExit code 1: a queue no longer exists, and its events were kept.',
    )
    .action(handledBy(context, async () => (await import('./dead-letters.ts')).retryDead));
  chosenDeadLettersCommand(
    group.command('discard').description('Remove events for good that handlers of the services did not accept.'),
    'list them and remove nothing',
  ).action(handledBy(context, async () => (await import('./dead-letters.ts')).discardDead));
  return group;
}

const chosenDeadLettersCommand = (command: Command, dryRun: string): Command =>
  deadLetterCommand(
    command
      .argument('[ids...]', 'ids of events, as "lintel events dead" shows them')
      .option('--all', 'all of them, or all that the other options name')
      .option('--type <type>', 'only events of this type; may be repeated', collect)
      .option('--dry-run', dryRun),
  );

const deadLetterCommand = (command: Command): Command =>
  command
    .option('--service <name>', 'only those of this service; may be repeated', collect)
    .addOption(
      new Option(
        '--exchange',
        'events of other applications instead, at the broker of SVC_EVENTS_BROKER_URLS',
      ).conflicts('service'),
    )
    .option('--application <module>', 'path or package of the application (svc.application); this folder without it')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nSVC_BROKER_URLS names RabbitMQ.');
