import type { ServiceDefinition, ServiceHttpMethod, ServiceMethod } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import { allowOf, methodNotAllowed } from '@lintel/http';

/** The parts of the URL and the parameters that select the method. */
export interface CallTarget {
  readonly service: string;
  readonly method: string;
  readonly httpMethod: ServiceHttpMethod;
  /** Names of the supplied parameters, as sent. */
  readonly supplied: readonly string[];
}

/**
 * The method of a request (contract/services.md#resolution): with the name and the HTTP method, with at least as many
 * parameters as are supplied, including all required ones.
 *
 * @throws PlatformError MODEL_SERVICE_METHOD_NOT_FOUND, REQ_METHOD_NOT_ALLOWED with
 *   `Allow` (contract/decisions.md#26), REQ_SERVICE_METHOD_AMBIGUOUS
 */
export function resolveMethod(services: ReadonlyMap<string, ServiceDefinition>, target: CallTarget): ServiceMethod {
  const named = methodsNamed(services, target);
  const callable = named.filter((method) => httpMethodsOf(method).includes(target.httpMethod));
  if (callable.length === 0) throw methodNotAllowed(target.httpMethod, allowOf(named.flatMap(httpMethodsOf)));
  const candidates = callable.filter((method) => takes(method, target.supplied));
  const [only] = candidates;
  if (only === undefined) throw methodNotFound(target);
  if (candidates.length > 1) throw ambiguous(candidates.length);
  return only;
}

/**
 * The HTTP methods of a service method, with any parameters.
 *
 * @throws PlatformError MODEL_SERVICE_METHOD_NOT_FOUND
 */
export const servedMethods = (
  services: ReadonlyMap<string, ServiceDefinition>,
  target: Omit<CallTarget, 'httpMethod'>,
): readonly ServiceHttpMethod[] => methodsNamed(services, target).flatMap(httpMethodsOf);

function methodsNamed(
  services: ReadonlyMap<string, ServiceDefinition>,
  target: Omit<CallTarget, 'httpMethod'>,
): readonly ServiceMethod[] {
  // An unknown service has no methods (contract/errors.md#32).
  const named = services.get(target.service)?.methods.filter(({ name }) => name === target.method) ?? [];
  if (named.length === 0) throw methodNotFound(target);
  return named;
}

const httpMethodsOf = ({ httpMethods }: ServiceMethod): readonly ServiceHttpMethod[] => httpMethods ?? ['GET', 'POST'];

const takes = ({ parameters }: ServiceMethod, supplied: readonly string[]): boolean =>
  supplied.length <= parameters.length &&
  parameters.every(({ name, required }) => !required || supplied.includes(name));

function methodNotFound({ service, method, supplied }: Omit<CallTarget, 'httpMethod'>): PlatformError {
  return new PlatformError('MODEL_SERVICE_METHOD_NOT_FOUND', `${service}.${method}(${supplied.join(',')})`);
}

function ambiguous(count: number): PlatformError {
  const text = `Cannot determine the service method to call. ${count} suitable methods have been found`;
  return new PlatformError('REQ_SERVICE_METHOD_AMBIGUOUS', text, { error: text });
}
