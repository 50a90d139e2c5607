import type { ServiceMethod, ServiceParameter } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { ExactJson, ExactObject } from '@lintel/query';
import { type ParseEnvironment, parseValue } from './parse-value.ts';

/**
 * The parameters of a call in the form of application code. Surplus members are ignored.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER with the first parameter whose value does not have its type
 */
export function parseParameters(
  environment: ParseEnvironment,
  method: ServiceMethod,
  supplied: ExactObject,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const parameter of method.parameters) {
    const sent = Object.hasOwn(supplied, parameter.name) ? (supplied[parameter.name] ?? null) : null;
    values[parameter.name] = parameterValue(environment, parameter, sent);
  }
  return values;
}

function parameterValue(environment: ParseEnvironment, parameter: ServiceParameter, sent: ExactJson): unknown {
  // A blank text of a number or date is null too (contract/instances.md#values).
  const parsed = sent === null ? { value: undefined } : parseValue(environment, parameter.form, sent);
  if (parsed === undefined || (parsed.value === undefined && !parameter.nullable))
    throw new PlatformError('REQ_INVALID_PARAMETER', `Invalid parameter value for ${parameter.name}`);
  return parsed.value;
}
