import type { ServiceHttpMethod, ServiceMethod } from './service.ts';

/**
 * The positions of two methods of a list that no request can distinguish: methods of one name, for a common HTTP
 * method, with equal parameters (contract/decisions.md#66).
 */
export function ambiguousMethods(
  methods: readonly ServiceMethod[],
): { readonly first: number; readonly second: number } | undefined {
  for (const [second, method] of methods.entries()) {
    const first = methods.slice(0, second).findIndex((earlier) => isAmbiguous(earlier, method));
    if (first >= 0) return { first, second };
  }
  return undefined;
}

const isAmbiguous = (one: ServiceMethod, other: ServiceMethod): boolean =>
  one.name === other.name &&
  httpMethodsOf(one).some((method) => httpMethodsOf(other).includes(method)) &&
  parametersOf(one) === parametersOf(other);

const httpMethodsOf = ({ httpMethods }: ServiceMethod): readonly ServiceHttpMethod[] => httpMethods ?? ['GET', 'POST'];

/** Requests are matched by names and by the number of parameters: which of them are optional does not matter. */
const parametersOf = ({ parameters }: ServiceMethod): string =>
  JSON.stringify(parameters.map(({ name }) => name).toSorted());
