import { isPlatformError, PlatformError, validationError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { constraintLookup, databaseErrorDetailsOf } from '@lintel/persistence';
import { type Localize, NOT_NULL, plainText, type RuleText } from '../validate/messages.ts';

/** Turns what the database refused into the words of the model; other errors pass unchanged. */
export type ConstraintTranslator = (error: unknown, localize: Localize) => unknown;

/** What the database says of a value, by SQLSTATE, as a key of the platform's texts. */
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

const PRIMARY_KEY = /^pk_/;

/**
 * Names entity and attributes of a violated constraint, where the model knows it (decisions.md 17). A
 * value that the database cannot hold is a violated rule like any other.
 */
export function createConstraintTranslator(model: Model): ConstraintTranslator {
  const originOf = constraintLookup(model);
  return (error, localize) => {
    if (!isPlatformError(error)) return error;
    const details = databaseErrorDetailsOf(error);
    if (details === undefined) return error;
    const origin = originOf(details);
    const attributes = origin?.attributes.join(', ');
    switch (error.code) {
      case 'DATA_UNIQUE_VIOLATION':
        if (origin === undefined) return new PlatformError(error.code, 'A value must be unique', { cause: error });
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
          origin === undefined
            ? 'An instance is referred to by another one'
            : `Entity ${origin.entity}: a reference of attribute ${attributes} would point at nothing`,
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
