import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { askServer } from './ask-server.ts';
import type { UndoOptions } from './history.command.ts';
import { type Difference, linesOf } from './read-history.ts';

interface Undone {
  readonly entity: string;
  readonly id: unknown;
  readonly operation: string;
}

/** An undo that continues on the server. */
interface Run {
  readonly id: string;
  readonly status: string;
  readonly result?: { readonly count: number; readonly instances: readonly Undone[] };
  readonly error?: { readonly error: string; readonly details: string };
}

interface Rehearsal {
  readonly changes: readonly (Pick<Difference, 'attributes'> & {
    readonly entity: string;
    readonly id: unknown;
    readonly change: string;
  })[];
}

/**
 * Takes a change back once the user has confirmed it, or prints what this would change.
 *
 * @throws CommandError unless it is confirmed
 */
export async function undoChange(change: string, options: UndoOptions, terminal: Terminal): Promise<void> {
  const { dryRun = false, yes = false, json = false } = options;
  const print = (result: object, text: string): void => terminal.print(json ? JSON.stringify(result, null, 2) : text);
  if (dryRun) {
    const rehearsal = await rehearse(change, options);
    return print(rehearsal, textOf(rehearsal));
  }
  if (!yes) await confirm(change, options, terminal);
  const undone = await resultOf(
    await send<readonly Undone[] | Run>(change, options, { prefer: 'respond-async' }),
    options,
  );
  const { count, instances } = 'count' in undone ? undone : { count: undone.length, instances: undone };
  const lines = instances.map(({ entity, id, operation }) => `${entity} ${idText(id)}: ${operation}`);
  if (count > lines.length) lines.push(`and ${count - lines.length} more`);
  print(undone, lines.join('\n'));
}

const INTERVAL_MS = 1_000;

/** The result of an undo, or of the run that continues it. */
async function resultOf(
  response: readonly Undone[] | Run,
  options: UndoOptions,
): Promise<readonly Undone[] | NonNullable<Run['result']>> {
  if (!('status' in response)) return response;
  let run = response;
  while (run.status === 'QUEUED' || run.status === 'RUNNING') {
    await sleep(INTERVAL_MS);
    run = await askServer<Run>(options, { method: 'GET', path: `/service-runs/${run.id}` });
  }
  const { error, details } = run.error ?? { error: `The run ${run.id} was cancelled`, details: '' };
  if (run.result === undefined)
    throw new CommandError([error, details].filter((part) => part !== '').join(': '), 'Nothing was changed');
  return run.result;
}

async function confirm(change: string, options: UndoOptions, terminal: Terminal): Promise<void> {
  if (!terminal.isInteractive)
    throw new CommandError(
      'The change would be taken back',
      'Add --yes to confirm, or --dry-run to see what it changes',
    );
  terminal.note(textOf(await rehearse(change, options)));
  if (!(await terminal.askYes('Take the change back?')))
    throw new CommandError('Nothing was changed', 'Confirm with yes');
}

const rehearse = (change: string, options: UndoOptions): Promise<Rehearsal> =>
  send(change, options, { prefer: 'tx=rollback' });

const send = <T>(change: string, options: UndoOptions, headers: Readonly<Record<string, string>> = {}): Promise<T> =>
  askServer(options, {
    method: 'POST',
    path: `/history/changes/${encodeURIComponent(change)}/undo`,
    headers: { ...headers, ...(options.reason !== undefined && { 'x-change-reason': headerText(options.reason) }) },
  });

/** Headers have bytes, and no line breaks. */
const headerText = (text: string): string => Buffer.from(text.replace(/\p{Cc}+/gu, ' ')).toString('latin1');

const textOf = ({ changes }: Rehearsal): string =>
  changes
    .map(({ entity, id, change, attributes }) =>
      [`${entity} ${idText(id)}: ${change}`, ...linesOf({ attributes })].join('\n  '),
    )
    .join('\n');

const idText = (id: unknown): string => (typeof id === 'object' ? JSON.stringify(id) : String(id));
