import { suggestion } from '@lintel/errors';
import { type Entity, isWatched, type Model } from '@lintel/metadata';
import type { ApplicationDefinition } from '../application.ts';
import { authorProblems, type DefinedRoles, isWithin, MAX_RETRIES } from '../jobs/check-jobs.ts';
import { jsonSchemaProblem } from '../json-schemas/check-json.ts';
import type { EntityChanges, EventHandler, OwnEvent } from './event.ts';

type CheckedModel = Pick<Model, 'entities' | 'enums'>;

/** Owners of the events of the platform. */
const RESERVED: ReadonlySet<string> = new Set(['data', 'auth', 'reports', 'files', 'gateway', 'lintel']);
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
    ...events.flatMap(({ type, schema }, at) => {
      const problem = jsonSchemaProblem(schema);
      return [
        ...typeProblems(id, type),
        ...(isRepeated(events, at, ({ type }) => type) ? ['another event has this type'] : []),
        ...(problem === undefined ? [] : [`its JSON Schema is not valid: ${problem}`]),
      ].map((text) => `Event ${type}: ${text}`);
    }),
    ...eventHandlers.flatMap((handler, at) =>
      [
        ...(isRepeated(eventHandlers, at, ({ options }) => options.name) ? ['another handler has this name'] : []),
        ...handlerProblems(handler, types, model),
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

function handlerProblems(
  { on, options: { name, retries = 0, timeout = 1 } }: EventHandler,
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
    ...(isOwnEvent(on)
      ? types.has(on.type)
        ? []
        : [`there is no event ${on.type}${suggestion(on.type, types)}`]
      : changeProblems(on, model)),
  ];
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

/** Whether it is an event of the application, and not changes of an entity. */
export const isOwnEvent = (on: EventHandler['on']): on is OwnEvent => 'type' in on;
