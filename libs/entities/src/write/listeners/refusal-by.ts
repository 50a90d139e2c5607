import type { ListenerContext } from '@lintel/application';
import { type PlatformError, type ValidationItem, validationError } from '@lintel/errors';

/** A rule of the platform that a value breaks; `lintel.validation.<rule>.message` is its text in all languages. */
export interface BrokenRule {
  readonly rule: string;
  /** Of the text. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/**
 * The validation item of a value that breaks a rule of the platform, in the language of the caller
 * (contract/writing.md#validation).
 */
export function itemOf(
  { rule, parameters }: BrokenRule,
  text: ListenerContext['message'],
  path: string,
  invalidValue: unknown,
): ValidationItem {
  const key = `lintel.validation.${rule}.message`;
  return { message: text(key, parameters), messageTemplate: `{${key}}`, path, invalidValue };
}

/** The refusal of a value that breaks a rule of the platform. */
export const refusalBy = (
  rule: string,
  text: ListenerContext['message'],
  path: string,
  invalidValue: unknown,
  parameters?: BrokenRule['parameters'],
): PlatformError =>
  validationError([itemOf({ rule, ...(parameters === undefined ? {} : { parameters }) }, text, path, invalidValue)]);
