import type { Application, EntityListener } from '@lintel/application';
import type { Database, IdempotencyStore } from '@lintel/persistence';
import type { IdSource, ReadDependencies, ReadYourWrites, UnreadableFiles } from '@lintel/reading';
import type { AccessOf, Delegation, RoleRegistry } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { createDelegatedRows } from '../authorize/delegated-rows.ts';
import { createRowPolicies } from '../authorize/row-policies.ts';
import { guardListener } from '../listeners/guard-listener.ts';
import { ListenerIndex } from '../listeners/listener-index.ts';
import { createScopeJobs } from '../scope/scope-jobs.ts';
import type { PasswordPolicy } from '../scope/write-scope.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import type { RetryPolicy } from './run-write.ts';
import { createConstraintTranslator } from './translate-violation.ts';

export interface WriteOptions {
  readonly application: Pick<Application, 'model' | 'listeners' | 'jobs' | 'resourceRoles' | 'rowRoles'>;
  readonly currentRoles: () => RoleRegistry;
  readonly database: Database;
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hashPassword: (text: string) => Promise<string>;
  /** Those of the platform, which guard its own entities; they are called before those of the application. */
  readonly platformListeners: readonly EntityListener[];
  /** The data API of listeners. */
  readonly dataFor: WriteDependencies['environment']['dataFor'];
  readonly idempotency: IdempotencyStore;
  readonly retries: RetryPolicy;
  readonly logger: Pick<Logger, 'error'>;
  readonly onCommitted?: (entities: readonly string[]) => Promise<void> | undefined;
  readonly readYourWrites?: ReadYourWrites | undefined;
  readonly optimisticLockingEnabled: boolean;
  readonly responseFetchPlanEnabled: boolean;
  readonly readPoliciesBindWrites: boolean;
  readonly unreadableFiles?: UnreadableFiles | undefined;
  readonly passwordPolicy: PasswordPolicy;
  /** The ceiling of what administrators may give; absent if there is none. */
  readonly delegation?: Delegation | undefined;
  readonly maxBodyBytes: number;
}

/** The dependencies of writing; created once per service. */
export const createWriteDependencies = (options: WriteOptions): WriteDependencies => ({
  database: options.database,
  read: options.read,
  accessOf: options.accessOf,
  environment: {
    model: options.application.model,
    ids: options.ids,
    clock: options.clock,
    accessOf: options.accessOf,
    loadAccess: options.read.loadAccess,
    currentMessages: options.read.currentMessages,
    hashPassword: options.hashPassword,
    passwordPolicy: options.passwordPolicy,
    listeners: new ListenerIndex([
      ...options.platformListeners,
      ...(options.application.listeners ?? []).map(guardListener),
    ]),
    jobs: createScopeJobs(options.application.jobs),
    dataFor: options.dataFor,
  },
  rowPolicies: createRowPolicies(options.application.model, options.currentRoles, options.readPoliciesBindWrites),
  delegatedRows: options.delegation && createDelegatedRows(options.application, options.delegation),
  translateViolation: createConstraintTranslator(options.application.model, options.database),
  idempotency: options.idempotency,
  retries: options.retries,
  logger: options.logger,
  ...(options.onCommitted === undefined ? {} : { onCommitted: options.onCommitted }),
  readYourWrites: options.readYourWrites,
  optimisticLockingEnabled: options.optimisticLockingEnabled,
  responseFetchPlanEnabled: options.responseFetchPlanEnabled,
  readPoliciesBindWrites: options.readPoliciesBindWrites,
  unreadableFiles: options.unreadableFiles,
  maxBodyBytes: options.maxBodyBytes,
});
