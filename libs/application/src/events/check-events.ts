import { suggestion } from '@lintel/errors';
import { type Entity, isWatched, type Model } from '@lintel/metadata';
import type { ApplicationDefinition } from '../application.ts';
import { authorProblems, type DefinedRoles, isWithin, MAX_RETRIES } from '../jobs/check-jobs.ts';
import { jsonSchemaProblem } from '../json-schemas/check-json.ts';
import type { EntityChanges, EventHandler, OwnEvent } from './event.ts';

type CheckedModel = Pick<Model, 'entities' | 'enums'>;

/** Owners of the events of the platform. */
const RESERVED: ReadonlySet<string> = new Set(['data', 'auth', 'reports', 'files', 'gateway', 'lintel']);
const OWNER = /^[a-z][a-z0-9_-]*$/;
const FACT = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*\.v[1-9][0-9]*$/;
const HANDLER_NAME = /^[a-z][a-z0-9-]{0,62}$/;
const MAX_TYPE_LENGTH = 150;
/** An attempt is a transaction. */
const MAX_TIMEOUT_SECONDS = 3_600;

/** Problems of the declared events and handlers: one sentence each. */
export function eventProblems(
  { id, events = [], eventHandlers = [] }: Pick<ApplicationDefinition, 'id' | 'events' | 'eventHandlers'>,
  model: CheckedModel,
  roles: DefinedRoles,
): readonly string[] {
  const types = new Set(events.map(({ type }) => type));
  return [
    ...events.flatMap((event, at) =>
      [
        ...(event.source === undefined
          ? typeProblems(id, event.type)
          : ['events of other applications are only handled']),
        ...(isRepeated(events, at, ({ type }) => type) ? ['another event has this type'] : []),
        ...declarationProblems(event),
      ].map((text) => `Event ${event.type}: ${text}`),
    ),
    ...eventHandlers.flatMap((handler, at) =>
      [
        ...(isRepeated(eventHandlers, at, ({ options }) => options.name) ? ['another handler has this name'] : []),
        ...handlerProblems(handler, id, types, model),
        ...authorProblems(handler.options.as, roles),
      ].map((text) => `Event handler ${handler.options.name}: ${text}`),
    ),
  ];
}

function isRepeated<T>(all: readonly T[], at: number, nameOf: (one: T) => string): boolean {
  return all.slice(0, at).some((earlier) => nameOf(earlier) === nameOf(all[at] as T));
}

function typeProblems(id: string, type: string): readonly string[] {
  const owner = id.toLowerCase();
  if (RESERVED.has(owner)) return [`an application with the id ${id} has no events: they would be the platform's`];
  return type.startsWith(`${owner}.`) && FACT.test(type.slice(owner.length + 1)) && type.length <= MAX_TYPE_LENGTH
    ? []
    : [
        `its type must be ${owner}.<fact>.v<number>, in lower-case letters, digits and hyphens (at most ${MAX_TYPE_LENGTH})`,
      ];
}

/** Problems of the schema of an event, and of the types of its earlier versions. */
function declarationProblems({ type, schema, upcasts = {} }: OwnEvent): readonly string[] {
  const problem = jsonSchemaProblem(schema);
  const [fact, version] = versionOf(type);
  const strange = Object.keys(upcasts).filter((earlier) => {
    const [earlierFact, number] = versionOf(earlier);
    return earlierFact !== fact || !(number > 0 && number < version);
  });
  return [
    ...(problem === undefined ? [] : [`its JSON Schema is not valid: ${problem}`]),
    ...strange.map((earlier) => `upcasts: ${earlier} is no earlier version of it`),
  ];
}

function versionOf(type: string): readonly [string, number] {
  const [, fact = type, number] = /^(.*)\.v([1-9][0-9]*)$/.exec(type) ?? [];
  return [fact, Number(number)];
}

/** Problems of an event of another application, as its handler declares it. */
function foreignProblems(id: string, event: OwnEvent, source: string): readonly string[] {
  const { type } = event;
  const [owner = ''] = type.split('.', 1);
  if (owner === id.toLowerCase() || RESERVED.has(owner)) return [`${type} is no event of another application`];
  if (!OWNER.test(owner) || !FACT.test(type.slice(owner.length + 1)) || type.length > MAX_TYPE_LENGTH)
    return [`${type} is not <application>.<fact>.v<number>, in lower-case letters, digits and hyphens`];
  return source === '' ? [`${type} has an empty source`] : declarationProblems(event);
}

function handlerProblems(
  { on, options: { name, retries = 0, timeout = 1 } }: EventHandler,
  id: string,
  types: ReadonlySet<string>,
  model: CheckedModel,
): readonly string[] {
  return [
    ...(HANDLER_NAME.test(name)
      ? []
      : ['its name must be lower-case letters, digits and hyphens (at most 63), and begin with a letter']),
    ...(isWithin(retries, 0, MAX_RETRIES) ? [] : [`retries: it must be a whole number from 0 to ${MAX_RETRIES}`]),
    ...(isWithin(timeout, 1, MAX_TIMEOUT_SECONDS)
      ? []
      : [`timeout: it must be 1 to ${MAX_TIMEOUT_SECONDS} whole seconds`]),
    ...(isEvent(on) ? eventOfHandlerProblems(id, on, types) : changeProblems(on, model)),
  ];
}

function eventOfHandlerProblems(id: string, on: OwnEvent, types: ReadonlySet<string>): readonly string[] {
  if (on.source !== undefined) return foreignProblems(id, on, on.source);
  return types.has(on.type) ? [] : [`there is no event ${on.type}${suggestion(on.type, types)}`];
}

function changeProblems({ entity: name, became = {} }: EntityChanges, model: CheckedModel): readonly string[] {
  const entity = model.entities.get(name);
  if (entity?.kind !== 'entity') return [`there is no entity ${name}${suggestion(name, model.entities.keys())}`];
  return conditionProblems(entity, became, model.enums).map((problem) => `became: ${problem}`);
}

/** The mistakes in a condition on the new values of an entity's changes, as sentences. */
export function conditionProblems(
  { name, attributes }: Entity,
  became: Readonly<Record<string, unknown>>,
  enums: Model['enums'],
): readonly string[] {
  return Object.entries(became).flatMap(([attributeName, value]) => {
    const attribute = attributes.get(attributeName);
    if (attribute === undefined)
      return [`${name} has no attribute ${attributeName}${suggestion(attributeName, attributes.keys())}`];
    if (!isWatched(attribute)) return [`${name}.${attributeName} is neither a boolean nor of an enumeration`];
    const isValue =
      attribute.kind === 'enum'
        ? enums.get(attribute.enumName)?.values.some((constant) => constant.name === value) === true
        : typeof value === 'boolean';
    return isValue
      ? []
      : [`${typeof value === 'string' ? value : JSON.stringify(value)} is no value of ${name}.${attributeName}`];
  });
}

/** Whether it is an event, and not changes of an entity. */
export const isEvent = (on: EventHandler['on']): on is OwnEvent => 'type' in on;
