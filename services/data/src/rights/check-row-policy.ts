import type { Model } from '@lintel/metadata';
import type { ReadAccess } from '@lintel/query';
import { assertPolicyReadable, PolicyError, readRowPolicy, type StoredRowPolicy } from '@lintel/security';

/** A mistake in a row-level policy; line and column count from 1, and are null where they are not known. */
export interface RowPolicyMistake {
  readonly attribute: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/**
 * The first mistake of a row-level policy, as it would be refused when it is saved.
 *
 * @throws PlatformError ACCESS_READ_DENIED for what its author may not read
 */
export function checkRowPolicy(model: Model, policy: StoredRowPolicy, author: ReadAccess): readonly RowPolicyMistake[] {
  try {
    readRowPolicy(model, policy);
    assertPolicyReadable(model, policy, author);
    return [];
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const { attribute, message } = error;
    return [{ attribute, message, ...positionOf(error.cause) }];
  }
}

function positionOf(cause: unknown): Pick<RowPolicyMistake, 'line' | 'column'> {
  const hasPosition = typeof cause === 'object' && cause !== null && 'line' in cause && 'column' in cause;
  return hasPosition ? { line: Number(cause.line), column: Number(cause.column) } : { line: null, column: null };
}
