import { setTimeout as sleep } from 'node:timers/promises';
import { isPlatformError } from '@lintel/errors';
import { createOutboxReplay, type OutboxReplay, type ReplayCount, type ReplaySelection } from '@lintel/persistence';
import { openApplication, withDatabase } from '../application-context.ts';
import { assertUpToDate } from '../assert-up-to-date.ts';
import { CommandError } from '../command-error.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { withConnection } from '../with-connection.ts';
import type { ReplayOptions } from './events.command.ts';
import { readSelection } from './read-selection.ts';

/** A relay holds its lock while a batch is on its way to the broker. */
const LOCK_TIMEOUT_MS = 30_000;
/** After so long without a sent event, no relay is running. */
const STANDSTILL_MS = 30_000;
const LOOK_EVERY_MS = 250;
/** All rows of a day may be changed. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** What a replay came to. */
interface Outcome {
  readonly counts: readonly ReplayCount[];
  /** Of the events, and of what stood before them, those that were not sent when the command ended. */
  readonly waiting: number;
}

/**
 * Publishes events again, and waits until the data services have sent them. Returns 1 where none does.
 *
 * @throws CommandError where an option is invalid, or a relay keeps its lock on the outbox; nothing is done then
 */
export async function replayEvents(
  options: ReplayOptions,
  terminal: Terminal,
  { standstillMs = STANDSTILL_MS, now = new Date() }: { readonly standstillMs?: number; readonly now?: Date } = {},
): Promise<ExitCode> {
  const context = await openApplication(options);
  const selection = readSelection(options, context.application, now);
  return withDatabase(context, terminal, async (url) => {
    await assertUpToDate(context.application, url);
    return withConnection({ url, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (database) => {
      const replay = createOutboxReplay(database, { lockTimeoutMs: LOCK_TIMEOUT_MS });
      const oldest = await replay.oldest();
      if (oldest === undefined || oldest > selection.since)
        terminal.note(
          `The outbox ${oldest === undefined ? 'is empty' : `goes back to ${oldest.toISOString()}`}: what was before is not kept any more.`,
        );
      if (options.dryRun === true) {
        printOutcome({ counts: await replay.count(selection), waiting: 0 }, selection, options, terminal);
        return 0;
      }
      const outcome = await publishAgain(replay, selection, options.wait ? standstillMs : 0, terminal);
      printOutcome(outcome, selection, options, terminal);
      return options.wait && outcome.waiting > 0 ? 1 : 0;
    });
  });
}

/** @param standstillMs how long to wait for the next event that is sent; 0 does not wait */
function publishAgain(
  replay: OutboxReplay,
  selection: ReplaySelection,
  standstillMs: number,
  terminal: Terminal,
): Promise<Outcome> {
  return terminal.during('Publishing again', async (say) => {
    const { counts, last } = await selectEvents(replay, selection);
    const all = await replay.waiting(last);
    let waiting = all;
    let movedAt = performance.now();
    while (waiting > 0 && performance.now() - movedAt < standstillMs) {
      say(`${all - waiting} of ${all} sent`);
      await sleep(LOOK_EVERY_MS);
      const left = await replay.waiting(last);
      if (left < waiting) movedAt = performance.now();
      waiting = left;
    }
    return { counts, waiting };
  });
}

async function selectEvents(replay: OutboxReplay, selection: ReplaySelection) {
  try {
    return await replay.requeue(selection);
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'DATA_UNAVAILABLE') throw error;
    throw new CommandError(
      'The outbox could not be changed, and nothing was published again',
      'A data service may be waiting for its broker, or the database may be away: try again',
      { cause: error },
    );
  }
}

function printOutcome(outcome: Outcome, selection: ReplaySelection, options: ReplayOptions, terminal: Terminal): void {
  const { counts, waiting } = outcome;
  const events = counts.reduce((sum, { events: count }) => sum + count, 0);
  const isDryRun = options.dryRun === true;
  if (options.json === true) {
    const { since, until } = selection;
    const types = Object.fromEntries(counts.map(({ type, events: count }) => [type, count]));
    terminal.print(JSON.stringify({ dryRun: isDryRun, since, until: until ?? null, events, types, waiting }, null, 2));
    return;
  }
  const width = String(events).length;
  for (const { type, events: count } of counts) terminal.print(`${String(count).padStart(width)}  ${type}`);
  if (events === 0) terminal.print('There is no such event.');
  else if (isDryRun) terminal.print(`${events} events would be published again.`);
  else if (waiting === 0) terminal.print(`${events} events were published again.`);
  else
    terminal.print(
      `${events} events are to be published again; ${waiting} wait in the outbox for a data service and its broker.`,
    );
}
