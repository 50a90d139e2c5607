import type { Entered, NamedType, ValueType } from './fields/value-type.ts';

/** A predefined query that the user may run. */
export interface QueryInfo {
  readonly name: string;
  readonly entityName: string;
  readonly jpql: string;
  readonly fetchPlanName: string | null;
  readonly limit: number | null;
  readonly returns: 'instances' | 'values';
  readonly params: readonly Omit<NamedType, 'required'>[];
}

/** A service as the API lists it. */
export interface ServiceInfo {
  readonly name: string;
  readonly methods: readonly ListedMethod[];
}

export interface ListedMethod {
  readonly name: string;
  readonly httpMethod: 'GET' | 'POST' | null;
  readonly params: readonly NamedType[];
  readonly returns: ValueType;
  readonly confirm: boolean;
  readonly longRunning: boolean;
}

/** A service method with one list of parameters; a name can have several of them. */
export interface MethodInfo extends Omit<ListedMethod, 'httpMethod'> {
  readonly service: string;
  readonly method: 'GET' | 'POST';
}

/** The methods of a service, each once: by POST where that is possible, since a GET may be cached and logged. */
export function methodsOf({ name: service, methods }: ServiceInfo): readonly MethodInfo[] {
  const found = new Map<string, MethodInfo>();
  for (const { httpMethod, ...listed } of methods) {
    const key = JSON.stringify([listed.name, listed.params.map(({ name }) => name)]);
    if (httpMethod === 'GET' && found.has(key)) continue;
    found.set(key, { ...listed, service, method: httpMethod ?? 'POST' });
  }
  return [...found.values()];
}

/** The position of the method that has exactly the parameters of an address, else of the first that has all of them. */
export function fittingOverload(overloads: readonly Pick<MethodInfo, 'params'>[], given: Entered): number {
  const names = Object.keys(given);
  const fits = ({ params }: Pick<MethodInfo, 'params'>): boolean =>
    names.every((name) => params.some((each) => each.name === name));
  const exact = overloads.findIndex((each) => each.params.length === names.length && fits(each));
  return Math.max(0, exact === -1 ? overloads.findIndex(fits) : exact);
}
