import type { ServiceDefinition, ServiceHttpMethod, ServiceMethod } from '@lintel/application';
import { describeForm, type ValueTypeInfo } from './describe-value-type.ts';

/** A service in the listing (contract/services.md#listing). */
export interface ServiceInfo {
  readonly name: string;
  readonly methods: readonly MethodInfo[];
}

interface MethodInfo {
  readonly name: string;
  readonly httpMethod: ServiceHttpMethod | null;
  readonly params: readonly ParameterInfo[];
  /** With `types=true`, as are the other optional members. */
  readonly returns?: ValueTypeInfo;
  /** A person who calls the method shall confirm the call. */
  readonly confirm?: boolean;
  /** The method is declared safe to rehearse. */
  readonly rehearsable?: boolean;
  /** The call may continue without its client. */
  readonly longRunning?: boolean;
}

interface ParameterInfo {
  readonly name: string;
  readonly type: string | null;
  readonly required: boolean;
  readonly valueType?: ValueTypeInfo;
}

/** Describes a service, `withTypes` also the types of parameters and results. */
export const describeService = ({ name, methods }: ServiceDefinition, withTypes = false): ServiceInfo => ({
  name,
  methods: methods.flatMap((method) =>
    httpMethodsOf(method).map((httpMethod) => describeMethod(method, httpMethod, withTypes)),
  ),
});

/**
 * A method declared in code has an entry for each HTTP method, a method declared in a file a single entry, null for any
 * (contract/services.md#exposure).
 */
function httpMethodsOf({ httpMethods, origin }: ServiceMethod): readonly (ServiceHttpMethod | null)[] {
  return httpMethods ?? (origin === 'xml' ? [null] : ['GET', 'POST']);
}

const describeMethod = (
  { name, parameters, returns, confirm = false, rehearsable = false, longRunning = false }: ServiceMethod,
  httpMethod: ServiceHttpMethod | null,
  withTypes: boolean,
): MethodInfo => ({
  name,
  httpMethod,
  params: parameters.map((parameter) => ({
    name: parameter.name,
    type: parameter.typeName,
    required: parameter.required,
    ...(withTypes && { valueType: describeForm(parameter.form) }),
  })),
  ...(withTypes && { returns: describeForm(returns.form), confirm, rehearsable, longRunning }),
});
