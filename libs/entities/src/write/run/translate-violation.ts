import { isPlatformError, PlatformError, validationError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { type DatabaseErrorDetails, databaseErrorDetailsOf, type StatementRunner } from '@lintel/persistence';
import { type ConstraintOrigin, constraintLookup } from '@lintel/schema';
import { type ErrorAccess, isKnownTo } from '../scope/error-access.ts';
import { type Localize, NOT_NULL, ownText, plainText, type RuleText } from '../values/messages.ts';

/**
 * Translates a constraint violation of the database into the terms of the model; other errors are rethrown unchanged.
 */
export type ConstraintTranslator = (error: unknown, localize: Localize, access: ErrorAccess) => Promise<unknown>;

/** Keys of the platform's texts for values that the database refuses, by SQLSTATE. */
const VIOLATIONS: ReadonlyMap<string | undefined, string> = new Map([
  ['22000', 'ReversedPeriod'],
  ['22001', 'TooLong'],
  ['22003', 'OutOfRange'],
  ['22008', 'TimeOutOfRange'],
  ['22012', 'RefusedByDatabase'],
  ['22021', 'UnstorableCharacter'],
  ['22P05', 'UnstorableCharacter'],
  ['P0001', 'RefusedByDatabase'],
]);

/**
 * Errors of writes alone: what a trigger raises, and a division by zero: of a computed column, or of `confirmStatement`.
 * Their texts may have values of other rows.
 */
const REFUSALS: ReadonlySet<string | undefined> = new Set(['P0001', '22012']);

/** Whether the database has refused a write without a constraint: clients do not get its text, so the log needs it. */
export const isRefusal = (error: unknown): error is Error => REFUSALS.has(databaseErrorDetailsOf(error)?.sqlState);

function violationText(sqlState: string | undefined): RuleText {
  if (sqlState === '23502') return NOT_NULL;
  return plainText(`{lintel.validation.${VIOLATIONS.get(sqlState) ?? 'InvalidValue'}.message}`);
}

/** @param entity undefined if the caller may not know it */
function referenceText(
  reference: DatabaseErrorDetails['reference'],
  entity: string | undefined,
  attributes: string | undefined,
  mayShowValues: boolean,
): string {
  if (reference?.kind === 'missing')
    return entity === undefined
      ? 'A reference leads to an instance that does not exist'
      : `Entity ${entity}: ${attributes} refers to an instance that does not exist${mayShowValues ? `: ${reference.values}` : ''}`;
  return entity === undefined
    ? 'An instance is referred to by another one'
    : `Entity ${entity}: a reference of attribute ${attributes} would point at nothing`;
}

const EXCLUSION_VIOLATION = '23P01';
const EXCLUDED = 'The values and those of another instance exclude each other';

const EXCHANGED =
  'Values are exchanged in one request only if an attribute of them may be null, or if their constraint is deferrable';

/**
 * Names entity and attributes of a violated constraint, also of one that was written by hand (contract/decisions.md#17),
 * where the caller may see or set them. The error is the same whether the caller may see the other instance or not. A value that
 * the database cannot store is reported like any violated rule.
 */
export function createConstraintTranslator(model: Model, database: StatementRunner): ConstraintTranslator {
  const originOf = constraintLookup(model, database);
  return async (error, localize, access) => {
    if (!isPlatformError(error)) return error;
    const details = databaseErrorDetailsOf(error);
    if (details === undefined) return error;
    const visibleOf = ({ entity, attributes }: ConstraintOrigin): readonly string[] =>
      attributes.filter((name) => access.mayView(entity, name) || access.mayModify(entity, name));
    const origin = await originOf(details, (found) => isKnownTo(access, found.entity) && visibleOf(found).length > 0);
    const isNamed = origin !== undefined && isKnownTo(access, origin.entity);
    const visible = origin && visibleOf(origin);
    const attributes = visible?.join(', ');
    switch (REFUSALS.has(details.sqlState) ? 'DATA_VALIDATION_FAILED' : error.code) {
      case 'DATA_UNIQUE_VIOLATION': {
        const isExclusion = details.sqlState === EXCLUSION_VIOLATION;
        if (!isNamed || attributes === '')
          return new PlatformError(error.code, isExclusion ? EXCLUDED : 'A value must be unique', { cause: error });
        const { entity, message } = origin;
        if (origin.isKey === true)
          return new PlatformError('DATA_ALREADY_EXISTS', `Entity ${entity} with the same id already exists`, {
            cause: error,
          });
        const text = isExclusion
          ? `Entity ${entity}: the values of ${attributes} and those of another instance exclude each other`
          : `Entity ${entity}: another instance has the same ${attributes}`;
        if (details.isExchange === true && !isExclusion)
          return new PlatformError(error.code, `${text}. ${EXCHANGED}`, { cause: error });
        return new PlatformError(error.code, localize(ownText(message, plainText(text)), entity), { cause: error });
      }
      case 'DATA_REFERENCE_VIOLATION':
        return new PlatformError(
          error.code,
          referenceText(
            details.reference,
            isNamed && attributes !== '' ? origin.entity : undefined,
            attributes,
            origin?.isByHand !== true,
          ),
          { cause: error },
        );
      case 'DATA_VALIDATION_FAILED': {
        const text = ownText(attributes === '' ? undefined : origin?.message, violationText(details.sqlState));
        const message = localize(text, origin?.entity ?? '');
        const { messageTemplate } = text;
        return validationError(
          (visible === undefined || visible.length === 0 ? [''] : visible).map((path) => ({
            message,
            messageTemplate,
            path,
            invalidValue: null,
          })),
        );
      }
      default:
        return error;
    }
  };
}
