import { randomBytes } from 'node:crypto';
import type { Application, ApplicationData } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import {
  createApplicationData,
  createListenerData,
  createModelSource,
  createWriteDependencies,
  ENDLESS,
  type PasswordPolicy,
} from '@lintel/entities';
import { createIdempotencyStore, type Database } from '@lintel/persistence';
import { createCursorCodec, createReadDependencies, type IdSource, NO_REQUEST_LIMITS } from '@lintel/reading';
import { applicationRoles, createAccessDirectory, type RoleRegistry } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { createToolData } from './create-tool-data.ts';
import { reportListeners } from './listeners/report-listeners.ts';
import { roleListeners } from './listeners/role-listeners.ts';
import { toolListeners } from './listeners/tool-listeners.ts';

/** The limits of requests do not apply here: there is no caller. */
const LIMITS = {
  maxFetchSize: () => Number.MAX_SAFE_INTEGER,
  inlineFetchPlansEnabled: true,
  maxBodyBytes: Number.MAX_SAFE_INTEGER,
};

/** The data of an application for a tool. */
export interface AdministrationData {
  /** Without the limits of a caller. */
  readonly data: ApplicationData;
  /** With the rights of a user. */
  dataOf(principal: Principal): ApplicationData;
}

/**
 * Reads and writes for a tool that runs outside the services. It uses the same pipelines as requests, so that rules,
 * listeners and events of the model apply, but without the limits of a caller. Events wait in the outbox for the data
 * service. Webhooks cannot be saved: the data service encrypts their secrets.
 */
export function createAdministration(ports: {
  readonly application: Application;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hashPassword: (text: string) => Promise<string>;
  readonly passwordPolicy: PasswordPolicy;
  readonly logger: Pick<Logger, 'error'>;
  /** The roles that exist at present; those of the application by default. */
  readonly currentRoles?: () => RoleRegistry;
}): AdministrationData {
  const { application, database, clock, ids } = ports;
  const { currentRoles = () => applicationRoles(application) } = ports;
  const accessOf = createAccessDirectory(currentRoles);
  const modelSource = createModelSource({ model: application.model, database, maxStalenessMs: 0, clock });
  const read = createReadDependencies({
    modelWithDynamicAttributes: modelSource.current,
    application,
    currentRoles,
    accessOf,
    database,
    // No cursor leaves this process.
    cursors: createCursorCodec({ secret: randomBytes(32).toString('hex'), ids }),
    limits: LIMITS,
    limitsOf: () => NO_REQUEST_LIMITS,
  });
  const write = createWriteDependencies({
    ...ports,
    currentRoles,
    read,
    accessOf,
    platformListeners: [
      ...roleListeners(application),
      ...reportListeners(application),
      ...toolListeners(),
      ...modelSource.listeners,
    ],
    dataFor: createListenerData(read),
    idempotency: createIdempotencyStore(database, { retentionMs: 0 }),
    retries: { attempts: 5, delayMs: 20 },
    optimisticLockingEnabled: false,
    responseFetchPlanEnabled: false,
    readPoliciesBindWrites: false,
    maxBodyBytes: LIMITS.maxBodyBytes,
  });
  return {
    data: createToolData(write),
    dataOf: (principal) => createApplicationData(write, principal, new AbortController().signal, ENDLESS),
  };
}
