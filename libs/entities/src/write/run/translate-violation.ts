import { isPlatformError, PlatformError, validationError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { type DatabaseErrorDetails, databaseErrorDetailsOf } from '@lintel/persistence';
import { constraintLookup } from '@lintel/schema';
import { type ErrorAccess, isKnownTo } from '../scope/error-access.ts';
import { type Localize, NOT_NULL, plainText, type RuleText } from '../values/messages.ts';

/**
 * Translates a constraint violation of the database into the terms of the model; other errors are rethrown unchanged.
 */
export type ConstraintTranslator = (error: unknown, localize: Localize, access: ErrorAccess) => unknown;

/** Keys of the platform's texts for values that the database refuses, by SQLSTATE. */
const VIOLATIONS: ReadonlyMap<string | undefined, string> = new Map([
  ['22001', 'TooLong'],
  ['22003', 'OutOfRange'],
  ['22008', 'TimeOutOfRange'],
  ['22021', 'UnstorableCharacter'],
  ['22P05', 'UnstorableCharacter'],
]);

function violationText(sqlState: string | undefined): RuleText {
  if (sqlState === '23502') return NOT_NULL;
  return plainText(`{lintel.validation.${VIOLATIONS.get(sqlState) ?? 'InvalidValue'}.message}`);
}

/** @param entity undefined if the caller may not know it */
function referenceText(
  reference: DatabaseErrorDetails['reference'],
  entity: string | undefined,
  attributes: string | undefined,
): string {
  if (reference?.kind === 'missing')
    return entity === undefined
      ? 'A reference leads to an instance that does not exist'
      : `Entity ${entity}: ${attributes} refers to an instance that does not exist: ${reference.values}`;
  return entity === undefined
    ? 'An instance is referred to by another one'
    : `Entity ${entity}: a reference of attribute ${attributes} would point at nothing`;
}

/** exclusion_violation, of a constraint that only the database knows. */
const EXCLUSION_VIOLATION = '23P01';

const PRIMARY_KEY = /^pk_/;

/**
 * Names entity and attributes of a violated constraint if the model defines it (contract/decisions.md#17) and the
 * caller may see or set them. The error is the same whether the caller may see the other instance or not. A value that
 * the database cannot store is reported like any violated rule.
 */
export function createConstraintTranslator(model: Model): ConstraintTranslator {
  const originOf = constraintLookup(model);
  return (error, localize, access) => {
    if (!isPlatformError(error)) return error;
    const details = databaseErrorDetailsOf(error);
    if (details === undefined) return error;
    const origin = originOf(details);
    const isNamed = origin !== undefined && isKnownTo(access, origin.entity);
    const attributes = origin?.attributes
      .filter((name) => access.mayView(origin.entity, name) || access.mayModify(origin.entity, name))
      .join(', ');
    switch (error.code) {
      case 'DATA_UNIQUE_VIOLATION':
        if (details.sqlState === EXCLUSION_VIOLATION)
          return new PlatformError(error.code, 'The values and those of another instance exclude each other', {
            cause: error,
          });
        if (!isNamed || attributes === '')
          return new PlatformError(error.code, 'A value must be unique', { cause: error });
        return PRIMARY_KEY.test(details.constraint ?? '')
          ? new PlatformError('DATA_ALREADY_EXISTS', `Entity ${origin.entity} with the same id already exists`, {
              cause: error,
            })
          : new PlatformError(error.code, `Entity ${origin.entity}: another instance has the same ${attributes}`, {
              cause: error,
            });
      case 'DATA_REFERENCE_VIOLATION':
        return new PlatformError(
          error.code,
          referenceText(details.reference, isNamed && attributes !== '' ? origin.entity : undefined, attributes),
          { cause: error },
        );
      case 'DATA_VALIDATION_FAILED': {
        const text = violationText(details.sqlState);
        const message = localize(text, origin?.entity ?? '');
        const { messageTemplate } = text;
        return validationError([{ message, messageTemplate, path: origin?.attributes[0] ?? '', invalidValue: null }]);
      }
      default:
        return error;
    }
  };
}
