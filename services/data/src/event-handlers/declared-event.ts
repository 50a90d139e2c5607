import { checkJson, type EventHandler, isEvent, type OwnEvent } from '@lintel/application';
import type { Envelope } from '@lintel/contracts';
import { shortened } from '@lintel/errors';
import { WorkRefusal } from '../access/principal-of-author.ts';

/** Characters; a path has names of members of the event. */
const MAX_REASON = 500;

/** The types of an event and of its earlier versions. */
export const typesOf = ({ type, upcasts = {} }: OwnEvent): readonly string[] => [type, ...Object.keys(upcasts)];

/** Whether the event is for handlers of another source: several may declare its type. */
export const isOfAnother = (on: EventHandler['on'], { source }: Envelope): boolean =>
  isEvent(on) && on.source !== undefined && on.source !== source;

/** An event that its handler cannot be called with, however often it is tried. */
export class UnreadableEvent extends WorkRefusal {}

/**
 * Type and data of an event in the version that the handler declares.
 *
 * @throws UnreadableEvent if it is not the event that is declared: `upcasts` and `schema` decide
 */
export function declaredEvent(on: EventHandler['on'], { type, data }: Envelope): Pick<Envelope, 'type' | 'data'> {
  if (!isEvent(on) || (on.source === undefined && on.type === type)) return { type, data };
  const current = on.type === type ? data : upcast(on.upcasts?.[type], type, data);
  const violation = checkJson(on.schema, current);
  if (violation !== undefined)
    throw new UnreadableEvent(
      shortened(`Its data does not match ${on.type}: data${violation.path} ${violation.problem}`, MAX_REASON),
    );
  return { type: on.type, data: current };
}

function upcast(convert: ((data: never) => unknown) | undefined, type: string, data: unknown): unknown {
  try {
    return convert?.(data as never);
  } catch (cause) {
    throw new UnreadableEvent(`The upcast of ${type} failed: the log has it, with the id of the event`, { cause });
  }
}
