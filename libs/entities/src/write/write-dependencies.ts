import type { Database, IdempotencyStore } from '@lintel/persistence';
import type { ReadDependencies, ReadYourWrites, UnreadableFiles } from '@lintel/reading';
import type { AccessOf } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import type { DelegatedRows } from './authorize/delegated-rows.ts';
import type { RowPolicies } from './authorize/row-policies.ts';
import type { RetryPolicy } from './run/run-write.ts';
import type { ConstraintTranslator } from './run/translate-violation.ts';
import type { WriteEnvironment } from './scope/write-scope.ts';

/** The ports and values that writing needs. */
export interface WriteDependencies {
  readonly database: Database;
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
  readonly environment: WriteEnvironment;
  readonly rowPolicies: RowPolicies;
  /** Absent if administrators may give rights that they do not have. */
  readonly delegatedRows?: DelegatedRows | undefined;
  readonly translateViolation: ConstraintTranslator;
  readonly idempotency: IdempotencyStore;
  readonly retries: RetryPolicy;
  /** Called with the entities of each commit, before the response to its writer. */
  readonly onCommitted?: (entities: readonly string[]) => Promise<void> | undefined;
  /** Records each write, if reads may use replicas; the write waits for it. */
  readonly readYourWrites?: ReadYourWrites | undefined;
  /** Logs failures after the commit: the response is already a success. */
  readonly logger: Pick<Logger, 'error'>;
  /** `svc.rest.optimistic-locking-enabled` */
  readonly optimisticLockingEnabled: boolean;
  /** `svc.rest.response-fetch-plan-enabled` */
  readonly responseFetchPlanEnabled: boolean;
  /**
   * Whether policies for reading bind writes: references to hidden instances are refused (contract/decisions.md#73).
   */
  readonly readPoliciesBindWrites: boolean;
  /** Absent if callers may refer to every file. */
  readonly unreadableFiles?: UnreadableFiles | undefined;
  readonly maxBodyBytes: number;
  /** Present if the write is part of a transaction: takes what follows the commit. */
  readonly runLater?: (settle: (deps: WriteDependencies) => Promise<void>) => void;
}
