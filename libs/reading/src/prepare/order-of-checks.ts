import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import {
  assertReadable,
  type ExactObject,
  pageOf,
  parseEntityId,
  parseFetchPlan,
  parseRead,
  type QueryLimits,
  type RawReadRequest,
  resolveEntity,
  resolveFetchPlan,
} from '@lintel/query';
import type { CallerAccess, ReadDependencies } from '../read-dependencies.ts';
import { clientOptions } from './client-options.ts';
import { bindRead, prepareRead } from './prepared-read.ts';

type Received = RawReadRequest & { readonly isFromBody: boolean };
type Check = (
  request: Received,
  model: Model,
  access: CallerAccess,
  limits: QueryLimits,
  deps: ReadDependencies,
) => void;

/** The checks of each route in the order of contract/reading.md#check-order; others come after these. */
const CHECKS = {
  instance: [checkEntity, checkReadable, checkId, checkFetchPlan],
  list: [checkEntity, checkReadable, checkFetchPlan, checkLimit],
  search: [checkEntity, checkFetchPlan, checkReadable, checkFilter, checkLimit],
  /** After the JSON and the presence of the filter, which the service checks. */
  searchByBody: [checkInlinePlan, checkEntity, checkFetchPlan, checkReadable, checkFilter, checkLimit],
  count: [checkEntity, checkReadable, checkFilter],
} as const satisfies Record<string, readonly Check[]>;

/**
 * Repeats the checks of a refused request in the order of the contract, so that the client gets the error of its first
 * mistake. The stages of the read check in their own order, which has no effect on a valid request.
 *
 * @throws PlatformError of the first check that fails
 */
export function assertInOrder(
  request: Received,
  model: Model,
  access: CallerAccess,
  limits: QueryLimits,
  deps: ReadDependencies,
): void {
  for (const check of CHECKS[routeOf(request)]) check(request, model, access, limits, deps);
}

function routeOf({ operation, filterRequired, isFromBody }: Received): keyof typeof CHECKS {
  if (operation !== 'list' || filterRequired !== true) return operation;
  return isFromBody ? 'searchByBody' : 'search';
}

/** The request with some of its members only. */
const only = (request: Received, ...names: readonly string[]): ExactObject =>
  Object.fromEntries(Object.entries(request.members).filter(([name]) => names.includes(name)));

function checkEntity({ entityName }: Received, model: Model): void {
  resolveEntity(model, entityName);
}

function checkReadable({ entityName }: Received, model: Model, { read }: CallerAccess): void {
  assertReadable(resolveEntity(model, entityName), read);
}

function checkId({ entityName, id }: Received, model: Model): void {
  if (id !== undefined) parseEntityId(model, resolveEntity(model, entityName), id);
}

function checkFetchPlan(
  { entityName, members }: Received,
  model: Model,
  _: CallerAccess,
  limits: QueryLimits,
  deps: ReadDependencies,
): void {
  const plan = parseFetchPlan(members['fetchPlan'], deps.limits.inlineFetchPlansEnabled);
  resolveFetchPlan(plan, resolveEntity(model, entityName), model, limits);
}

/** A plan that is an object in the body is checked with the body, before the entity of the path. */
function checkInlinePlan(
  { entityName, members }: Received,
  model: Model,
  _: CallerAccess,
  limits: QueryLimits,
  deps: ReadDependencies,
): void {
  const plan = parseFetchPlan(members['fetchPlan'], deps.limits.inlineFetchPlansEnabled);
  const isObject = plan.kind === 'inline' && typeof members['fetchPlan'] !== 'string';
  if (!isObject) return;
  const ofPlan = plan.definition['entity'];
  const entity = model.entities.get(entityName) ?? model.entities.get(String(ofPlan));
  if (entity === undefined)
    throw new PlatformError('REQ_INVALID_FETCH_PLAN', `Unknown entity ${JSON.stringify(ofPlan)}`);
  resolveFetchPlan(plan, entity, model, limits);
}

/** As a count with nothing but the filter and the search: its syntax, names, visibility and values. */
function checkFilter(
  request: Received,
  model: Model,
  access: CallerAccess,
  limits: QueryLimits,
  deps: ReadDependencies,
): void {
  const { entityName, filterRequired } = request;
  const raw: RawReadRequest = {
    operation: 'count',
    entityName,
    ...(filterRequired === undefined ? {} : { filterRequired }),
    members: only(request, 'filter', 'q'),
  };
  const read = prepareRead(parseRead(raw, clientOptions(deps.limits), limits), model, access, deps);
  bindRead(read, read.compiled.count());
}

function checkLimit(request: Received, _: Model, __: CallerAccess, limits: QueryLimits, deps: ReadDependencies): void {
  const { entityName } = request;
  const parsed = parseRead({ operation: 'list', entityName, members: only(request, 'limit') }, deps.limits, limits);
  pageOf(parsed, deps.limits.maxFetchSize(entityName));
}
