import type { Application } from '@lintel/application';
import { durationMsValue } from '@lintel/config';
import { EVENTS } from '@lintel/contracts';
import type { ReplaySelection } from '@lintel/persistence';
import { CommandError } from '../command-error.ts';
import type { ReplayOptions } from './events.command.ts';

const ENTITY_CHANGED = 'data.entity.changed.v1';
/** The events of the outbox: others have none, and nothing of theirs is kept. */
const TYPES = Object.keys(EVENTS).filter((type) => type.startsWith('data.'));

const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * The events that options mean.
 *
 * @throws CommandError naming an option that makes no sense, alone or with the others
 */
export function readSelection(options: ReplayOptions, { model }: Application, now: Date): ReplaySelection {
  const { type, entity, subject } = options;
  const since = readTime('--since', options.since, now);
  const until = options.until === undefined ? undefined : readTime('--until', options.until, now);
  if (since >= now) throw new CommandError(`--since ${options.since} is not in the past`, 'Name a time before now');
  if (until !== undefined && until <= since)
    throw new CommandError(`--until ${options.until} is not after --since ${options.since}`, 'Name a later time');
  const unknown = type?.find((name) => !TYPES.includes(name));
  if (unknown !== undefined)
    throw new CommandError(`The outbox has no events of type ${unknown}`, `There are ${TYPES.join(', ')}`);
  if (entity !== undefined && subject !== undefined)
    throw new CommandError('--entity and --subject exclude each other', 'Give one of them');
  if (entity !== undefined && type?.some((name) => name !== ENTITY_CHANGED) === true)
    throw new CommandError(`Only events of type ${ENTITY_CHANGED} are about entities`, 'Leave --type or --entity out');
  const stranger = entity?.find((name) => !model.entities.has(name));
  if (stranger !== undefined)
    throw new CommandError(
      `There is no entity ${stranger}`,
      `There are ${[...model.entities.keys()].toSorted().join(', ')}`,
    );
  return {
    since,
    until,
    // The subject of another event may look like one of an entity: a user may be named so.
    types: entity === undefined ? type : [ENTITY_CHANGED],
    entities: entity,
    subjects: subject,
  };
}

/** The time that an option means, absolute or a duration ago. @throws CommandError if it is none */
export function readTime(option: string, text: string, now: Date): Date {
  const date = INSTANT.exec(text)?.[1];
  const time = date === undefined ? timeAgo(text, now) : new Date(text);
  if (time === undefined || Number.isNaN(time.getTime()) || (date !== undefined && !isDay(date)))
    throw new CommandError(
      `${option} ${text} is no time`,
      'Give one such as 2026-11-21T10:00:00Z or 2026-11-21T10:00:00+01:00, or how long ago: 90m, 2h, 1d',
    );
  return time;
}

/** Of a day that its month does not have, JavaScript makes one of the next. */
const isDay = (date: string): boolean => new Date(date).toISOString().startsWith(date);

/** A number without a unit is ambiguous. */
const timeAgo = (text: string, now: Date): Date | undefined => {
  const ageMs = /^\d+$/.test(text.trim()) ? undefined : durationMsValue().safeParse(text).data;
  return ageMs === undefined ? undefined : new Date(now.getTime() - ageMs);
};
