import type { Model } from '@lintel/metadata';
import { PolicyError, readRowPolicy, type StoredRowPolicy } from '@lintel/security';

/** A mistake in a row-level policy; line and column count from 1, and are null where they are not known. */
export interface RowPolicyMistake {
  readonly attribute: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** The first mistake of a row-level policy, as it would be refused when it is saved. */
export function checkRowPolicy(model: Model, policy: StoredRowPolicy): readonly RowPolicyMistake[] {
  try {
    readRowPolicy(model, policy);
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
