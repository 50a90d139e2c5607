import { EVENTS, type EventDefinition, type EventSchema, eventSchema, incompatibilities } from '@lintel/contracts';

/** What is stored of a version of an event: `libs/contracts/events/<type>.json`. */
export interface StoredEvent {
  readonly type: string;
  /** Schema of `data`. */
  readonly schema: EventSchema;
  /** `data` of the event as it is published, and as it ever was: consumers read all of them. */
  readonly examples: readonly unknown[];
}

/** Folder of the stored events, from the root of the repository. */
export const EVENTS_FOLDER = 'libs/contracts/events/';

/**
 * What is to be stored of the events of the code.
 *
 * @param published what is stored of them, by type
 * @throws Error naming every change of a published version that makes it another one
 */
export function storedEvents(
  published: Readonly<Record<string, StoredEvent>>,
  events: Readonly<Record<string, EventDefinition>> = EVENTS,
): readonly StoredEvent[] {
  const problems: string[] = [];
  for (const type of Object.keys(published))
    if (events[type] === undefined) problems.push(`${type} was published and is not there any more`);
  const stored = Object.entries(events).map(([type, { schema, example }]) => {
    const before = published[type];
    const now = eventSchema(schema);
    for (const problem of before === undefined ? [] : incompatibilities(before.schema, now))
      problems.push(`${type}: ${problem}`);
    const others = (before?.examples ?? []).filter((known) => JSON.stringify(known) !== JSON.stringify(example));
    return { type, schema: now, examples: [example, ...others] };
  });
  if (problems.length > 0)
    throw new Error(`A published version of an event never changes; add a new one\n${problems.join('\n')}`);
  return stored;
}
