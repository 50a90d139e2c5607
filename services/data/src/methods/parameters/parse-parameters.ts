import type { ServiceMethod, ServiceParameter } from '@lintel/application';
import type { UnknownInside } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { ExactJson, ExactObject } from '@lintel/query';
import type { Access } from '@lintel/security';
import { MemberCheck } from './member-check.ts';
import { type ParseEnvironment, parseValue } from './parse-value.ts';

/** What a call takes of its parameters: the values, and the members inside of them that have no meaning. */
export interface ParsedParameters {
  readonly values: Readonly<Record<string, unknown>>;
  readonly unknown: readonly UnknownInside[];
}

/**
 * The parameters of a call in the form of application code. Surplus members are ignored.
 *
 * @param access of the caller, which decides what is proposed for unknown members
 * @throws PlatformError REQ_INVALID_PARAMETER with the first parameter whose value does not have its type
 */
export function parseParameters(
  environment: ParseEnvironment,
  method: ServiceMethod,
  supplied: ExactObject,
  access: Pick<Access, 'mayView'> | undefined,
): ParsedParameters {
  const values: Record<string, unknown> = {};
  const unknown: UnknownInside[] = [];
  for (const parameter of method.parameters) {
    const sent = Object.hasOwn(supplied, parameter.name) ? (supplied[parameter.name] ?? null) : null;
    const check = new MemberCheck(() => parameter.name, unknown, access, environment.offsets);
    values[parameter.name] = parameterValue(environment, parameter, sent, check);
  }
  return { values, unknown };
}

function parameterValue(
  environment: ParseEnvironment,
  parameter: ServiceParameter,
  sent: ExactJson,
  check: MemberCheck,
): unknown {
  // A blank text of a number or date is null too (contract/instances.md#values).
  const parsed = sent === null ? { value: undefined } : parseValue(environment, parameter.form, sent, check);
  if (parsed === undefined || (parsed.value === undefined && !parameter.nullable))
    throw new PlatformError('REQ_INVALID_PARAMETER', `Invalid parameter value for ${parameter.name}`);
  return parsed.value;
}
