import type { Database, IdempotencyStore } from '@lintel/persistence';
import type { AccessOf } from '@lintel/security';
import type { Logger } from '@lintel/telemetry';
import type { WriteMarks } from '../../replicas/write-marks.ts';
import type { ReadDependencies } from '../read-dependencies.ts';
import type { RetryPolicy } from './execute/run-write.ts';
import type { ConstraintTranslator } from './execute/translate-violation.ts';
import type { WriteEnvironment } from './execute/write-scope.ts';
import type { RowPredicates } from './secure/row-predicates.ts';

/** The ports and values that writing needs. */
export interface WriteDependencies {
  readonly database: Database;
  readonly read: ReadDependencies;
  readonly accessOf: AccessOf;
  readonly environment: WriteEnvironment;
  readonly rowPredicates: RowPredicates;
  readonly translateViolation: ConstraintTranslator;
  readonly idempotency: IdempotencyStore;
  readonly retries: RetryPolicy;
  /** Told the entities of each committed change, before its writer gets an answer. */
  readonly onCommitted?: (entities: readonly string[]) => void;
  /** Told of each write and waited for, where reads may go to replicas. */
  readonly writeMarks?: WriteMarks | undefined;
  /** Told of what fails after the commit, when the answer is a success already. */
  readonly logger: Pick<Logger, 'error'>;
  /** `svc.rest.optimistic-locking-enabled` */
  readonly optimisticLockingEnabled: boolean;
  /** `svc.rest.response-fetch-plan-enabled` */
  readonly responseFetchPlanEnabled: boolean;
  readonly maxBodyBytes: number;
}
