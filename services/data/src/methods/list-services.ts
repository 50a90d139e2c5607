import type { ServiceDefinition, ServiceHttpMethod, ServiceMethod } from '@lintel/application';

/** A service in the listing (contract/services.md#listing). */
export interface ServiceInfo {
  readonly name: string;
  readonly methods: readonly MethodInfo[];
}

interface MethodInfo {
  readonly name: string;
  readonly httpMethod: ServiceHttpMethod | null;
  readonly params: readonly { readonly name: string; readonly type: string | null; readonly required: boolean }[];
}

export const describeService = ({ name, methods }: ServiceDefinition): ServiceInfo => ({
  name,
  methods: methods.flatMap((method) => httpMethodsOf(method).map((httpMethod) => describeMethod(method, httpMethod))),
});

/**
 * A method declared in code has an entry for each HTTP method, a method declared in a file a single entry, null for any
 * (contract/services.md#exposure).
 */
function httpMethodsOf({ httpMethods, origin }: ServiceMethod): readonly (ServiceHttpMethod | null)[] {
  return httpMethods ?? (origin === 'xml' ? [null] : ['GET', 'POST']);
}

const describeMethod = ({ name, parameters }: ServiceMethod, httpMethod: ServiceHttpMethod | null): MethodInfo => ({
  name,
  httpMethod,
  params: parameters.map((parameter) => ({
    name: parameter.name,
    type: parameter.typeName,
    required: parameter.required,
  })),
});
