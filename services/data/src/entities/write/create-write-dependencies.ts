import type { Application, EntityListener } from '@lintel/application';
import type { Database, IdempotencyStore } from '@lintel/persistence';
import type { AccessOf, RoleBook } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import { createListenerData } from '../../facade/create-listener-data.ts';
import type { Clock, IdSource } from '../../ports.ts';
import type { WriteMarks } from '../../replicas/write-marks.ts';
import { reportListeners } from '../../reports/report-listeners.ts';
import { roleListeners } from '../../roles/role-listeners.ts';
import type { ReadDependencies } from '../read-dependencies.ts';
import type { RetryPolicy } from './execute/run-write.ts';
import { createConstraintTranslator } from './execute/translate-violation.ts';
import { createRowPredicates } from './secure/row-predicates.ts';
import type { WriteDependencies } from './write-dependencies.ts';

export interface WriteOptions {
  readonly application: Pick<Application, 'model' | 'listeners' | 'resourceRoles' | 'rowRoles' | 'reports'>;
  readonly currentRoles: () => RoleBook;
  readonly database: Database;
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hashPassword: (text: string) => Promise<string>;
  /** What guards the definitions of dynamic attributes, and webhooks. */
  readonly definitionListeners: readonly EntityListener[];
  readonly idempotency: IdempotencyStore;
  readonly retries: RetryPolicy;
  readonly logger: Pick<Logger, 'error'>;
  readonly onCommitted?: (entities: readonly string[]) => void;
  readonly writeMarks?: WriteMarks | undefined;
  readonly optimisticLockingEnabled: boolean;
  readonly responseFetchPlanEnabled: boolean;
  readonly maxBodyBytes: number;
}

/** What writing needs, once for a service. */
export const createWriteDependencies = (options: WriteOptions): WriteDependencies => ({
  database: options.database,
  read: options.read,
  accessOf: options.accessOf,
  environment: {
    model: options.application.model,
    ids: options.ids,
    clock: options.clock,
    accessOf: options.accessOf,
    currentMessages: options.read.currentMessages,
    hashPassword: options.hashPassword,
    listeners: [
      ...roleListeners(options.application),
      ...reportListeners(options.application),
      ...options.definitionListeners,
      ...(options.application.listeners ?? []),
    ],
    dataFor: createListenerData(options.read),
  },
  rowPredicates: createRowPredicates(options.application.model, options.currentRoles),
  translateViolation: createConstraintTranslator(options.application.model),
  idempotency: options.idempotency,
  retries: options.retries,
  logger: options.logger,
  ...(options.onCommitted === undefined ? {} : { onCommitted: options.onCommitted }),
  writeMarks: options.writeMarks,
  optimisticLockingEnabled: options.optimisticLockingEnabled,
  responseFetchPlanEnabled: options.responseFetchPlanEnabled,
  maxBodyBytes: options.maxBodyBytes,
});
