import { defineSettings, listValue, loadSettings, setting } from '@lintel/config';
import { environment } from '@lintel/config/environment';
import {
  type DeadLetter,
  type DeadLetterOptions,
  discardDeadLetters,
  listDeadLetters,
  retryDeadLetters,
} from '@lintel/events';
import { formatTable } from '../administration/format-table.ts';
import { applicationSources, openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { messageOf, rootCauseOf } from '../message-of.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import type { ChosenDeadLettersOptions, DeadLettersOptions } from './events.command.ts';

const SERVICES = ['auth', 'data', 'files', 'gateway', 'reports'];
const TIMEOUT_MS = 10_000;

type Variables = Readonly<Record<string, string | undefined>>;

const shape = defineSettings({
  urls: setting('svc.broker.urls', listValue().default([]), 'RabbitMQ nodes', { secret: true }),
  exchangeUrls: setting('svc.events.broker-urls', listValue().default([]), 'Nodes of others', { secret: true }),
});

/**
 * Prints the dead letters of the services.
 *
 * @throws CommandError where there is no RabbitMQ, or a service is unknown
 */
export async function listDead(
  options: DeadLettersOptions,
  terminal: Terminal,
  variables: Variables = environment(),
): Promise<void> {
  print(await withBroker(options, variables, listDeadLetters), options, terminal);
}

/**
 * Sends dead letters to their queues again. Returns 1 where a queue no longer exists.
 *
 * @throws CommandError where nothing is chosen, an id is unknown, or there is no RabbitMQ; nothing is sent then
 */
export async function retryDead(
  ids: readonly string[],
  options: ChosenDeadLettersOptions,
  terminal: Terminal,
  variables: Variables = environment(),
): Promise<ExitCode> {
  const isChosen = await choose(ids, options, terminal, variables);
  if (isChosen === undefined) return 0;
  const { retried, kept } = await withBroker(options, variables, (broker) => retryDeadLetters(broker, isChosen));
  if (options.json === true) terminal.print(JSON.stringify({ retried, kept }, null, 2));
  else {
    terminal.print(`${amountOf(retried)} sent again.`);
    for (const { id, queue } of kept)
      terminal.note(
        `${id ?? 'an event without an id'} was kept: the queue ${queue ?? 'of its handler'} no longer exists`,
      );
  }
  return kept.length === 0 ? 0 : 1;
}

/**
 * Removes dead letters for good.
 *
 * @throws CommandError as `retryDead`; nothing is removed then
 */
export async function discardDead(
  ids: readonly string[],
  options: ChosenDeadLettersOptions,
  terminal: Terminal,
  variables: Variables = environment(),
): Promise<void> {
  const isChosen = await choose(ids, options, terminal, variables);
  if (isChosen === undefined) return;
  const discarded = await withBroker(options, variables, (broker) => discardDeadLetters(broker, isChosen));
  if (options.json === true) terminal.print(JSON.stringify({ discarded }, null, 2));
  else terminal.print(`${amountOf(discarded)} removed.`);
}

const amountOf = ({ length }: readonly unknown[]): string => `${length} ${length === 1 ? 'event was' : 'events were'}`;

/**
 * Returns what selects the dead letters that a command names; nothing for a dry run, which lists them.
 *
 * @throws CommandError where nothing is chosen, or an id is unknown
 */
async function choose(
  ids: readonly string[],
  options: ChosenDeadLettersOptions,
  terminal: Terminal,
  variables: Variables,
): Promise<((letter: DeadLetter) => boolean) | undefined> {
  const { all = false, type: types } = options;
  if (ids.length === 0 && !all)
    throw new CommandError('No event is named', 'Name events as "lintel events dead" shows them, or give --all');
  if (ids.length > 0 && (all || types !== undefined))
    throw new CommandError('Ids exclude --all and --type', 'Give one of them');
  const isChosen = ({ id, type }: DeadLetter): boolean =>
    all ? types === undefined || (type !== undefined && types.includes(type)) : id !== undefined && ids.includes(id);
  const found = (await withBroker(options, variables, listDeadLetters)).filter(isChosen);
  const unknown = ids.find((id) => !found.some((letter) => letter.id === id));
  if (unknown !== undefined)
    throw new CommandError(`There is no dead letter ${unknown}`, '"lintel events dead" lists them');
  if (options.dryRun !== true) return isChosen;
  print(found, options, terminal);
  return undefined;
}

async function withBroker<T>(
  { service: named = SERVICES, application, exchange = false }: DeadLettersOptions,
  variables: Variables,
  work: (options: DeadLetterOptions) => Promise<T>,
): Promise<T> {
  const stranger = named.find((name) => !SERVICES.includes(name));
  if (stranger !== undefined)
    throw new CommandError(`There is no service ${stranger}`, `There are ${SERVICES.join(', ')}`);
  const options = application === undefined ? {} : { application };
  const property = exchange ? 'SVC_EVENTS_BROKER_URLS' : 'SVC_BROKER_URLS';
  const urls = await brokerUrls(exchange ? 'exchangeUrls' : 'urls', options, variables);
  if (urls.length === 0)
    throw new CommandError(
      'No RabbitMQ is configured: in one process, events need none, and nothing of them is kept',
      `Set ${property} as for the services`,
    );
  const services = exchange ? [(await openApplication(options, variables)).application.id.toLowerCase()] : named;
  try {
    return await work({ urls, services, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    throw new CommandError(
      `RabbitMQ cannot be used: ${messageOf(rootCauseOf(error))}`,
      `Check ${property}, and that the user may configure, read and write`,
      { cause: error },
    );
  }
}

/** The property where it is set for the process, or in the application. */
async function brokerUrls(
  which: keyof typeof shape,
  options: Pick<DeadLettersOptions, 'application'>,
  variables: Variables,
): Promise<readonly string[]> {
  const knownKeys = ['svc.*'];
  const { [which]: urls } = loadSettings(shape, applicationSources(options, variables, { knownKeys }));
  if (urls.length > 0) return urls;
  const { application } = await openApplication(options, variables);
  const applicationProperties = application.properties ?? {};
  return loadSettings(shape, applicationSources(options, variables, { knownKeys, applicationProperties }))[which];
}

function print(letters: readonly DeadLetter[], { json }: DeadLettersOptions, terminal: Terminal): void {
  if (json === true) terminal.print(JSON.stringify(letters, null, 2));
  else if (letters.length === 0) terminal.print('There are no dead letters.');
  else
    terminal.print(
      formatTable(
        ['Time', 'Queue', 'Type', 'Subject', 'Id', 'Reason'],
        letters.map(({ time, service, queue, type, subject, id, reason }) => [
          time?.toISOString() ?? '–',
          queue ?? service,
          type ?? 'not an event',
          subject ?? '–',
          id ?? '–',
          reason ?? '–',
        ]),
      ),
    );
}
