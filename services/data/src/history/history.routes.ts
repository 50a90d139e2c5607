import { HISTORY_PATH, INTEGERS, KEY_TEXT, type Principal } from '@lintel/contracts';
import { PlatformError, suggestion } from '@lintel/errors';
import {
  differenceOf,
  entryAt,
  type HistoryReading,
  type HistorySubject,
  historyAccess,
  listAllChanges,
  listChanges,
  readStates,
} from '@lintel/history';
import { contextOf, pathParameter, queryOf, sendJson, sendJsonText, singleValue } from '@lintel/http';
import { dynamicAttributesOf, dynamicMemberOf, type Entity, type Model, rootOf } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { assertReadable, keyInSql, parseEntityId, resolveEntity } from '@lintel/query';
import { nextLink, type ReadDependencies } from '@lintel/reading';
import { type AccessOf, assertSpecific } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import { receiveFlag } from '../access/receive-flag.ts';
import { momentOf } from '../receiving/receive-moment.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { textOf } from '../receiving/receive-user.ts';

export interface HistoryOptions {
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
  readonly database: StatementRunner;
}

/** Everything that the caller needs to read a history. */
interface Received {
  readonly subject: HistorySubject;
  readonly reading: HistoryReading;
  /** Cursors are bound to it. */
  readonly scope: string;
}

/** Finds the instance of a request, and checks the rights to its history. */
export async function receiveHistory(
  request: Request,
  response: Response,
  { read, accessOf, database }: HistoryOptions,
): Promise<Received> {
  const { principal, signal } = contextOf(request, response);
  const model = await read.modelWithDynamicAttributes();
  const entity = resolveEntity(model, pathParameter(request, 'entityName'));
  const access = historyAccess(read.loadAccess(principal));
  assertReadable(entity, access.access.read);
  assertMayReadRecord(rootOf(model, entity), accessOf(principal), HISTORY);
  const key = keyInSql(model, entity, parseEntityId(model, entity, pathParameter(request, 'entityId')));
  return {
    subject: { entity, key },
    reading: { model, ...access, deps: read, runner: database, signal },
    scope: JSON.stringify([principal.kind, principal.username, entity.name, key]),
  };
}

/** A record of entities: of changes or of reads. */
export interface RecordKind {
  readonly name: string;
  readonly isRecorded: (entity: Entity) => boolean;
  /** Specific policy for all entities; followed by the name of an entity, for that one. */
  readonly permission: string;
}

const HISTORY: RecordKind = {
  name: 'history',
  isRecorded: ({ history }) => history !== undefined,
  permission: 'history.read',
};

/**
 * Finds the entities of which a request may list what is recorded: the named one, or all.
 *
 * @throws PlatformError REQ_NOT_FOUND, ACCESS_DENIED as for the history of an instance
 */
export async function receiveEntities(
  request: Request,
  response: Response,
  options: HistoryOptions,
  kind = HISTORY,
): Promise<Pick<Received, 'reading'> & { readonly entities: readonly Entity[] }> {
  const { read, accessOf, database } = options;
  const { principal, signal } = contextOf(request, response);
  const model = await read.modelWithDynamicAttributes();
  const access = read.loadAccess(principal);
  const rights = accessOf(principal);
  const reading = { model, ...historyAccess(access), deps: read, runner: database, signal };
  const name = textOf(request, 'entity');
  if (name !== undefined) {
    const entity = resolveEntity(model, name);
    assertReadable(entity, access.read);
    assertMayReadRecord(rootOf(model, entity), rights, kind);
    return { entities: [entity], reading };
  }
  return { entities: listedEntities(principal, model, options, kind), reading };
}

/**
 * The entities of which a caller may list what is recorded.
 *
 * @throws PlatformError ACCESS_DENIED if there are none, AUTH_STEP_UP_REQUIRED
 */
export function listedEntities(
  principal: Principal,
  model: Model,
  { read, accessOf }: Pick<HistoryOptions, 'read' | 'accessOf'>,
  kind = HISTORY,
): readonly Entity[] {
  const [access, rights] = [read.loadAccess(principal), accessOf(principal)];
  const recorded = [...model.entities.values()].filter(kind.isRecorded);
  const readable = recorded.filter((entity) => access.read.entity(entity.name).canRead);
  const details = `User is not allowed to read the ${kind.name} of any entity`;
  const enough = [kind.permission, ...readable.flatMap((entity) => permissionsFor(entity, kind))] as const;
  assertSpecific(rights, enough, 'ACCESS_DENIED', details);
  const entities = readable.filter((entity) => permissionsFor(entity, kind).some((one) => rights.hasSpecific(one)));
  if (entities.length === 0) throw new PlatformError('ACCESS_DENIED', details);
  return entities;
}

/** The history of instances (contract/history.md). */
export function registerHistoryRoutes(router: Router, options: HistoryOptions): void {
  const { read } = options;
  const receive = (request: Request, response: Response): Promise<Received> =>
    receiveHistory(request, response, options);

  router.get(`${HISTORY_PATH}/:entityName/:entityId`, async (request, response) => {
    const { subject, reading, scope } = await receive(request, response);
    const cursor = textOf(request, 'cursor', KEY_TEXT);
    const before = cursor === undefined ? undefined : (read.cursors.decode(cursor, scope).values[0] ?? undefined);
    const filter = {
      user: textOf(request, 'user'),
      attribute: shownAttribute(subject.entity, reading, textOf(request, 'attribute')),
      from: momentOf(request, 'from'),
      to: momentOf(request, 'to'),
    };
    const page = { limit: numberOf(request, INTEGERS.history), before };
    const { changes, next } = await listChanges(subject, filter, page, reading);
    linkTo(next === undefined ? undefined : [next], scope, { request, response, read });
    sendJson(response, 200, changes);
  });

  router.get(HISTORY_PATH, async (request, response) => {
    const { entities, reading } = await receiveEntities(request, response, options);
    const { kind, username } = contextOf(request, response).principal;
    const scope = JSON.stringify([kind, username, 'all', entities.map(({ name }) => name)]);
    const cursor = textOf(request, 'cursor', KEY_TEXT);
    const before = cursor === undefined ? undefined : read.cursors.decode(cursor, scope).values;
    const filter = {
      user: textOf(request, 'user'),
      reason: textOf(request, 'reason'),
      from: momentOf(request, 'from'),
      to: momentOf(request, 'to'),
    };
    const page = { limit: numberOf(request, INTEGERS.history), before };
    const { changes, next } = await listAllChanges(entities, filter, page, reading);
    linkTo(next, scope, { request, response, read });
    sendJson(response, 200, changes);
  });

  router.get(`${HISTORY_PATH}/:entityName/:entityId/at`, async (request, response) => {
    const { subject, reading } = await receive(request, response);
    const entry = await entryAt(subject, required(request, 'time'), reading);
    const { principal } = contextOf(request, response);
    const options = { inlineFetchPlansEnabled: read.limits.inlineFetchPlansEnabled };
    const plan = {
      fetchPlan: singleValue(queryOf(request), 'fetchPlan') ?? '_base',
      dynamicAttributes: receiveFlag(request, 'dynamicAttributes'),
      limits: read.limitsOf(principal),
      options,
    };
    const states = await readStates(subject.entity, [{ key: subject.key, entry }], plan, reading);
    const state = states.get(0);
    if (state === undefined) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
    sendJsonText(response, state);
  });

  router.get(`${HISTORY_PATH}/:entityName/:entityId/diff`, async (request, response) => {
    const { subject, reading } = await receive(request, response);
    const { entity, key } = subject;
    const [from, to] = [
      await entryAt(subject, required(request, 'from'), reading),
      await entryAt(subject, momentOf(request, 'to') ?? LATEST, reading),
    ];
    const moments = [from, to].map((entry) => ({ key, entry }));
    const difference = await differenceOf(entity, moments, reading);
    if (difference === undefined) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
    sendJson(response, 200, difference);
  });
}

/** Names the next page, if there is one. */
export function linkTo(
  next: readonly (string | null)[] | undefined,
  scope: string,
  {
    request,
    response,
    read,
  }: Pick<HistoryOptions, 'read'> & { readonly request: Request; readonly response: Response },
): void {
  if (next === undefined) return;
  const link = nextLink(request.originalUrl, read.cursors.encode({ order: 'history', values: next }, scope));
  if (link !== undefined) response.setHeader('Link', link);
}

/** @throws PlatformError REQ_INVALID_PARAMETER */
function shownAttribute(entity: Entity, reading: HistoryReading, name: string | undefined): string | undefined {
  // Its changes are shown, if not its values.
  const { unmasked: access = reading.access } = reading;
  if (name !== undefined) assertShown(entity, { ...reading, access }, { attribute: name });
  return name;
}

/**
 * Refuses names of attributes that have no history, or that the caller may not view, with the same error.
 *
 * @param names by the parameter that has them
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function assertShown(
  entity: Entity,
  { model, access }: HistoryReading,
  names: Readonly<Record<string, string | readonly string[]>>,
): void {
  const { name: entityName, attributes } = entity;
  const { mayView } = access.read.entity(entityName);
  const shown = [...attributes.values()].filter(({ name, persistent }) => persistent && mayView(name));
  const known = [...shown.map(({ name }) => name), ...dynamicAttributesOf(model, entity).map(dynamicMemberOf)];
  for (const [parameter, given] of Object.entries(names))
    for (const name of [given].flat())
      if (!known.includes(name))
        throw new PlatformError(
          'REQ_INVALID_PARAMETER',
          `${parameter}: ${entityName} has no stored attribute ${name}${suggestion(name, known)}`,
        );
}

const LATEST = 'infinity';

function required(request: Request, name: string): string {
  const moment = momentOf(request, name);
  if (moment === undefined) throw new PlatformError('REQ_INVALID_PARAMETER', `${name} is required`);
  return moment;
}

/**
 * Refuses callers without the right to what is recorded of the entity.
 *
 * @throws PlatformError REQ_NOT_FOUND where nothing is recorded, ACCESS_DENIED, AUTH_STEP_UP_REQUIRED
 */
function assertMayReadRecord(entity: Entity, access: ReturnType<AccessOf>, kind: RecordKind): void {
  const what = kind.name;
  if (!kind.isRecorded(entity)) throw new PlatformError('REQ_NOT_FOUND', `${entity.name} has no ${what}`);
  const details = `User is not allowed to read the ${what} of ${entity.name}`;
  assertSpecific(access, permissionsFor(entity, kind), 'ACCESS_DENIED', details);
}

/** One of them is enough. */
const permissionsFor = ({ name }: Entity, { permission }: RecordKind) => [permission, `${permission}.${name}`] as const;
