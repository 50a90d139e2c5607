import { PlatformError } from '@lintel/errors';
import { type LiteralType, parseText } from '@lintel/query';

/** Datatypes of session attributes: their values have one form in JSON and in conditions. */
const SESSION_DATATYPES = ['string', 'boolean', 'int', 'uuid', 'localDate'] as const;
/** The datatype of a session attribute. */
export type SessionDatatype = (typeof SESSION_DATATYPES)[number];

/** The session attributes of an application: name and datatype. */
export type SessionAttributes = Readonly<Record<string, SessionDatatype>>;

/** A value of a session attribute, as in JSON. */
export type SessionAttributeValue = string | number | boolean;

/** What application code reads and changes in the session of the caller. */
export interface CallerSession {
  /** The value of a declared session attribute; undefined if it has none. */
  get(name: string): SessionAttributeValue | undefined;
  /**
   * Sets a declared session attribute; null removes its value. The rest of the call uses the new value, and so do all
   * later requests of the session. It is no part of the transaction of the call.
   *
   * @throws PlatformError REQ_INVALID_PARAMETER for a value that is not of the declared datatype
   * @throws PlatformError AUTH_UNAVAILABLE if the session cannot be changed now
   * @throws Error for an attribute that is not declared, and for a session that has ended or that callers share
   */
  set(name: string, value: SessionAttributeValue | null): Promise<void>;
}

const NAME = /^[A-Za-z]\w*$/;
const MAX_NAME_LENGTH = 100;
const MAX_LENGTH = 1000;

/** What contradicts the rules for session attributes: one sentence each. */
export function sessionAttributeProblems(attributes: SessionAttributes = {}): readonly string[] {
  return Object.entries(attributes).flatMap(([name, datatype]) => [
    ...(NAME.test(name) && name.length <= MAX_NAME_LENGTH
      ? []
      : [`sessionAttributes: '${name}' is no name: expected letters, digits and _, at most ${MAX_NAME_LENGTH}`]),
    ...(SESSION_DATATYPES.includes(datatype)
      ? []
      : [
          `sessionAttributes: ${name} has the unknown datatype ${String(datatype)}: expected ${SESSION_DATATYPES.join(', ')}`,
        ]),
  ]);
}

const FORMS: Readonly<Record<SessionDatatype, 'string' | 'number' | 'boolean'>> = {
  string: 'string',
  boolean: 'boolean',
  int: 'number',
  uuid: 'string',
  localDate: 'string',
};

/**
 * Checks a change of a session attribute.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER for a value that is not of the declared datatype
 * @throws Error for an attribute that is not declared
 */
export function assertSessionAttribute(
  attributes: SessionAttributes,
  name: string,
  value: SessionAttributeValue | null,
): void {
  assertDeclared(attributes, name);
  const datatype = attributes[name];
  if (value === null || datatype === undefined) return;
  const type: LiteralType = { kind: 'datatype', datatype };
  const isOfType = typeof value === FORMS[datatype] && parseText(type, String(value)) !== undefined;
  if (!isOfType || String(value).length > MAX_LENGTH)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `The session attribute ${name} cannot have this value: expected ${datatype}`,
    );
}

/** @throws Error naming the declared attributes */
export function assertDeclared(attributes: SessionAttributes, name: string): void {
  if (Object.hasOwn(attributes, name)) return;
  const known = Object.keys(attributes).join(', ');
  throw new Error(
    `The session attribute ${name} is not declared: add it to sessionAttributes of defineApplication${known === '' ? '' : `, or use one of ${known}`}`,
  );
}
