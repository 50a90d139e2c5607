import type { FileTicket, FileTicketOptions, ServiceContext, SessionAttributes } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { entityOf } from '@lintel/metadata';
import { serializeEntity } from '@lintel/reading';
import { createLocalize, messageWith } from '../write/scope/localize.ts';
import type { WriteDependencies } from '../write/write-dependencies.ts';
import type { CallLifetime } from './call-lifetime.ts';
import { type ChangeSessionAttributes, createCallerSession } from './caller-session.ts';
import { createApplicationData } from './create-application-data.ts';

/** The caller of application code. */
export interface ApplicationCaller {
  readonly principal: Principal;
  /** Its JWT. */
  readonly token: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the call is rolled back: what is stored outside of the database is refused. */
  readonly isDryRun?: boolean;
  /** Records the progress of a call that continues without its client. */
  readonly progress?: ServiceContext['progress'] | undefined;
}

/** Issues a ticket for one file to a caller, whatever the caller may read. */
export type FileTickets = (
  fileRef: string,
  options: FileTicketOptions,
  caller: Pick<ApplicationCaller, 'principal' | 'token'>,
) => Promise<FileTicket>;

/** Dependencies of calls of application code; created once per service. */
export interface ContextDependencies {
  readonly write: WriteDependencies;
  /** Locale of callers that have none. */
  readonly defaultLocale: string;
  /** Session attributes of the application. */
  readonly sessionAttributes?: SessionAttributes | undefined;
  readonly changeSessionAttributes: ChangeSessionAttributes;
  readonly fileTickets: FileTickets;
}

/** The context that a service method or a controller gets for the lifetime of its call. */
export function createContext(
  caller: ApplicationCaller,
  lifetime: CallLifetime,
  deps: ContextDependencies,
): ServiceContext {
  const { signal, isDryRun = false } = caller;
  const { principal, session } = createCallerSession(caller.principal, deps.sessionAttributes, (sessionId, changes) => {
    refuseIn(isDryRun, 'change the session');
    return deps.changeSessionAttributes(sessionId, changes);
  });
  const access = deps.write.accessOf(principal);
  const { model } = deps.write.environment;
  return {
    username: principal.username,
    locale: principal.locale ?? deps.defaultLocale,
    message: messageWith(createLocalize(deps.write.environment, principal)),
    userAttributes: principal.attributes,
    session,
    isPermitted: (permission) => access.hasSpecific(permission),
    data: createApplicationData(deps.write, principal, signal, lifetime),
    serializer: {
      toJson(name, value, options = {}) {
        const writing = {
          model,
          access: options.skipDenied === true ? access : undefined,
          instanceNames: options.instanceNames ?? true,
          display: deps.write.read.displayIn(principal.locale ?? ''),
        };
        const entity = entityOf(model, name);
        const write = (item: unknown) =>
          item === undefined || item === null ? null : serializeEntity(writing, entity, item);
        return JSON.stringify(Array.isArray(value) ? value.map(write) : write(value));
      },
    },
    fileTicket: async (fileRef, options = {}) => {
      refuseIn(isDryRun, 'issue tickets for files');
      return deps.fileTickets(fileRef, options, caller);
    },
    signal,
    isDryRun,
    progress: caller.progress ?? (() => {}),
  };
}

function refuseIn(isDryRun: boolean, what: string): void {
  if (isDryRun) throw new PlatformError('REQ_INVALID_PARAMETER', `A rehearsal cannot ${what}`);
}
