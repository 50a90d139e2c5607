import type {
  ApplicationData,
  Deprecation,
  JsonVersion,
  ServiceContext,
  ServiceDefinition,
  ServiceMethod,
} from '@lintel/application';
import type { UnknownInside } from '@lintel/contracts';
import type { Localize } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import type { ExactObject } from '@lintel/query';
import type { EntityWriting } from '@lintel/reading';
import { clientJson } from '../client-versions/client-version.ts';
import { parseParameters } from './parameters/parse-parameters.ts';
import type { ParseEnvironment } from './parameters/parse-value.ts';
import { type CallTarget, resolveMethod } from './resolve-method.ts';
import { type ShapedResult, shapeResult } from './results/shape-result.ts';
import { validateParameters, validateResult } from './validate-call.ts';

/** A received call. */
export interface ReceivedCall extends Omit<CallTarget, 'supplied'> {
  readonly supplied: ExactObject;
}

/** Refuses or reports supplied parameters that the method does not have. */
export type CheckNames = (unknown: readonly string[], known: readonly string[]) => void;

/** Refuses or reports members inside of parameters that have no meaning. */
export type CheckInside = (unknown: readonly UnknownInside[]) => void;

type Work = (data: ApplicationData) => Promise<ShapedResult>;
type Rehearse = (work: Work) => Promise<ShapedResult>;

/** The environment of a call: the caller and the service. */
export interface CallDependencies extends ParseEnvironment {
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly context: ServiceContext;
  readonly writing: EntityWriting;
  /** `YYYY-MM-DDTHH:mm:ss.SSS` in UTC. */
  readonly now: string;
  readonly localize: Localize;
  readonly checkNames: CheckNames;
  readonly checkInside: CheckInside;
  readonly announce: (deprecation: Deprecation) => void;
  /** Rolls back a call, and returns what it would have changed; undefined for other calls. */
  readonly rehearse: Rehearse | undefined;
  /** Accepts a call that may continue without its client; undefined if the client waits. */
  readonly defer?: (() => Promise<void>) | undefined;
}

/** The pipeline of a service call: resolve → parse → validate → call → validate → shape. */
export async function callMethod(call: ReceivedCall, deps: CallDependencies): Promise<ShapedResult> {
  const method = resolveMethod(deps.services, { ...call, supplied: Object.keys(call.supplied) });
  if (deps.rehearse !== undefined && method.rehearsable !== true)
    throw new PlatformError('REQ_INVALID_PARAMETER', `${method.name} cannot be rehearsed: it is not declared so`);
  if (method.deprecated !== undefined) deps.announce(method.deprecated);
  const known = method.parameters.map(({ name }) => name);
  deps.checkNames(
    Object.keys(call.supplied).filter((name) => !known.includes(name)),
    known,
  );
  const { values: parameters, unknown } = parseParameters(deps, method, call.supplied, deps.writing.access);
  deps.checkInside(unknown);
  const check = { serviceName: call.service, now: deps.now, localize: deps.localize };
  validateParameters(method, parameters, call.supplied, check);
  if (deps.defer !== undefined && method.longRunning === true) {
    await deps.defer();
    return { kind: 'empty' };
  }
  return run(method, parameters, deps, (value) => {
    validateResult(method, value, check);
    return inVersion(deps.version, shapeResult(deps.writing, method.returns.form, value));
  });
}

/** The result is shaped inside the transaction: an invalid one rolls it back. */
async function run(
  method: ServiceMethod,
  parameters: Readonly<Record<string, unknown>>,
  { context, rehearse }: Pick<CallDependencies, 'context' | 'rehearse'>,
  shape: (value: unknown) => ShapedResult,
): Promise<ShapedResult> {
  if (!method.transactional) return shape(await method.call(parameters, context));
  const work: Work = async (data) => shape(await method.call(parameters, { ...context, data }));
  return rehearse === undefined ? context.data.inTransaction(work) : rehearse(work);
}

/** The entity name is a member of each instance. */
const inVersion = (version: JsonVersion | undefined, result: ShapedResult): ShapedResult =>
  version === undefined || result.kind !== 'json' ? result : { ...result, text: clientJson(version, '', result.text) };
