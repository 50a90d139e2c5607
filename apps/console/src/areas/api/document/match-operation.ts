import type { ApiOperation, ApiParameter } from './api-document.ts';

/** An operation, with the values of the parameters that a request has. */
export interface MatchedOperation {
  readonly operation: ApiOperation;
  readonly values: ReadonlyMap<string, string>;
}

/** The key of a parameter among all of an operation. */
export const keyOf = (location: string, name: string): string => `${location} ${name}`;

/** The operation of a request: of several, the one whose path has the fewest parameters. */
export function matchOperation(
  operations: readonly ApiOperation[],
  method: string,
  target: string,
): MatchedOperation | undefined {
  const [path = '', query = ''] = target.split('?', 2);
  const segments = path.split('/');
  const [found] = operations
    .filter((operation) => operation.method === method && fits(operation.path.split('/'), segments))
    .sort((one, other) => parametersIn(one.path) - parametersIn(other.path));
  if (found === undefined) return undefined;
  const inPath = found.path.split('/').flatMap((segment, at): [string, string][] => {
    const [, name] = /^\{(.+)\}$/.exec(segment) ?? [];
    return name === undefined ? [] : [[keyOf('path', name), decodeURIComponent(segments[at] ?? '')]];
  });
  const inQuery = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    keyOf('query', name),
    value,
  ]);
  const known = new Set(found.parameters.map(({ name, in: location }) => keyOf(location, name)));
  // Those of any query or method are not in the document.
  const further = inQuery
    .filter(([key]) => !known.has(key))
    .map(([key]): ApiParameter => ({ name: key.slice(keyOf('query', '').length), in: 'query' }));
  return {
    operation: { ...found, parameters: [...found.parameters, ...further] },
    values: new Map([...inPath, ...inQuery]),
  };
}

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((segment, at) => segment.startsWith('{') || segment === segments[at]);

const parametersIn = (path: string): number => path.split('{').length - 1;
