import { type JobContext, type JobDefinition, job } from '@lintel/application';
import type { Principal, Session } from '@lintel/contracts';
import { type ApplicationCaller, CALL_JOB, type UndoRequest } from '@lintel/entities';
import { type ErrorCode, PlatformError } from '@lintel/errors';
import { type ExactObject, readExactJson } from '@lintel/query';
import type { Clock } from '@lintel/timing';
import { principalOfUser, type UserReading } from '../../access/principal-of-user.ts';
import { failureOfError, RunFailure } from '../../access/run-failure.ts';
import { notifyOfEnd } from '../../notifications/notify-of-run.ts';
import type { ReceivedCall } from '../call-method.ts';
import type { ShapedResult } from '../results/shape-result.ts';

/** The arguments of a run: the call, and the most that its caller was allowed to do. */
export interface CallArguments {
  /** `callerKeyOf` the caller. */
  readonly caller: string;
  readonly username: string;
  readonly userId: string | null;
  readonly clientId: string;
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles: readonly string[];
  readonly sessionAttributes?: Session['sessionAttributes'];
  readonly locale: string | null;
  readonly service: string;
  readonly method: string;
  readonly httpMethod: ReceivedCall['httpMethod'];
  /** The parameters as JSON, whose numbers are exact. */
  readonly supplied: string;
  /** A change that is taken back instead of a call. */
  readonly undo?: LargeUndo;
  /** A file that is imported instead. */
  readonly import?: object;
  /** A list that is exported to a file instead; its members are the parameters. */
  readonly export?: object;
  /** Hash of a call with an idempotency key: another call with the key is refused. */
  readonly requestHash?: string;
}

/** An undo of a large change (contract/history.md#undo). */
export interface LargeUndo extends Pick<UndoRequest, 'change' | 'url' | 'unknownMembers' | 'idempotentCall'> {
  readonly reason: string | undefined;
}

/** Takes a change back for a caller; resolves to the JSON of the response, throws as `CallInBackground`. */
export type UndoInBackground = (undo: LargeUndo, principal: Principal, signal: AbortSignal) => Promise<string>;

/**
 * Imports a stored file for a caller; `args` is the member of the arguments. Resolves to the JSON of the report, throws as
 * `CallInBackground`.
 */
export type ImportInBackground = (
  args: object,
  principal: Principal,
  context: Pick<JobContext<unknown>, 'run' | 'signal' | 'progress'>,
) => Promise<string>;

/**
 * Stores an export for a caller; `args` is the member of the arguments. Resolves to the JSON of the file, throws as
 * `CallInBackground`.
 */
export type ExportInBackground = (
  args: object,
  members: ExactObject,
  principal: Principal,
  signal: AbortSignal,
) => Promise<string>;

/** Attempts of an import after the first one; calls have no other, nor has a refused file. */
export const IMPORT_RETRIES = 5;

/** Results are kept with the run, in the memory of the service while they are read. */
const MAX_RESULT_LENGTH = 10 * 1024 * 1024;

/** Calls a method for a caller; what it throws is the response that a waiting client would have got. */
export type CallInBackground = (
  call: ReceivedCall,
  caller: Pick<ApplicationCaller, 'principal' | 'signal' | 'progress'>,
) => Promise<ShapedResult>;

export const createCallJob = (
  calls: {
    readonly call: CallInBackground;
    readonly undo: UndoInBackground;
    readonly imports: ImportInBackground;
    readonly exports: ExportInBackground;
  },
  reading: UserReading & { readonly clock: Clock },
): JobDefinition => {
  const { call, undo, imports, exports } = calls;
  const carryOut = async ({ args, run, signal, progress }: JobContext<CallArguments>) => {
    const { service, method, httpMethod } = args;
    const supplied = readExactJson(args.supplied) as ExactObject;
    const principal = await principalOf(args, run, reading);
    if (args.undo !== undefined) return bounded(await undo(args.undo, principal, signal));
    if (args.import !== undefined) return bounded(await imports(args.import, principal, { run, signal, progress }));
    if (args.export !== undefined) return bounded(await exports(args.export, supplied, principal, signal));
    return textOf(await call({ service, method, httpMethod, supplied }, { principal, signal, progress }));
  };
  return job<CallArguments>(CALL_JOB.name, CALL_JOB.options, async (context) => {
    const { args, run, signal, log } = context;
    try {
      return await carryOut(context);
    } catch (error) {
      const { userId, service, method } = args;
      const link = { type: 'service-run', id: run.id } as const;
      const failure = { id: run.id, userId, key: 'callFailed', parameters: { service, method }, link } as const;
      // Users cancel calls themselves, and calls that their process interrupts may begin again.
      const goesOn = args.import !== undefined && error instanceof RunFailure && error.failure.status >= 500;
      if (!signal.aborted && !(goesOn && run.attempt <= IMPORT_RETRIES))
        await notifyOfEnd(reading.database, failure, reading.clock.now()).catch(() =>
          // The run keeps the error of the call.
          log.warn('The user could not be notified of the failure'),
        );
      throw error;
    }
  });
};

/**
 * The caller with the rights that the user has now, and no more than the login of the call had.
 *
 * @throws RunFailure if the user does not exist any more, or is not active
 */
async function principalOf(args: CallArguments, { id }: JobContext<unknown>['run'], reading: UserReading) {
  const user = await principalOfUser(args.username, `service run ${id}`, reading);
  if (user?.account.isActive !== true || user.account.id !== args.userId)
    throw refusal('AUTH_INVALID_TOKEN', 'There is no such active user any more');
  const { resourceRoles, rowLevelRoles } = user.principal;
  return {
    ...user.principal,
    clientId: args.clientId,
    resourceRoles: resourceRoles.filter((role) => args.resourceRoles.includes(role)),
    rowLevelRoles: [...new Set([...rowLevelRoles, ...args.rowLevelRoles])],
    sessionAttributes: args.sessionAttributes,
    locale: args.locale,
  };
}

function textOf(result: ShapedResult): string | undefined {
  if (result.kind === 'empty') return undefined;
  return bounded(result.kind === 'text' ? JSON.stringify(result.value) : result.text);
}

function bounded(text: string): string {
  if (text.length > MAX_RESULT_LENGTH)
    throw refusal('DATA_RESULT_TOO_LARGE', 'The result of a run may have 10 MiB; store it as a file');
  return text;
}

function refusal(code: ErrorCode, details: string): RunFailure {
  const error = new PlatformError(code, details);
  return new RunFailure(failureOfError(error), error);
}
