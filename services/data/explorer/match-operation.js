import { decoded } from './fragment.js';

/** The key of a parameter among all of an operation. */
export const keyOf = (location, name) => `${location} ${name}`;

/**
 * The operation of a request, with the values of its parameters by `keyOf`: of several, the one whose path has the
 * fewest parameters.
 *
 * @param {readonly { method: string, path: string, parameters: readonly object[] }[]} operations
 * @param {{ method: string, target: string }} request its target is a path with a query
 */
export function matchOperation(operations, { method, target }) {
  const [path, query = ''] = target.split('?', 2);
  const segments = path.split('/');
  const [found] = operations
    .filter((operation) => operation.method === method.toLowerCase() && fits(operation.path.split('/'), segments))
    .sort((one, other) => parametersIn(one.path) - parametersIn(other.path));
  if (found === undefined) return undefined;
  const inPath = found.path.split('/').flatMap((segment, at) => {
    const [, name] = /^\{(.+)\}$/.exec(segment) ?? [];
    return name === undefined ? [] : [[keyOf('path', name), decoded(segments[at])]];
  });
  const names = new URLSearchParams(query);
  const inQuery = [...new Set(names.keys())].map((name) => [keyOf('query', name), names.getAll(name).join(',')]);
  const known = new Set(found.parameters.map((parameter) => keyOf(parameter.in, parameter.name)));
  // A query may have parameters that are not in the document.
  const further = [...new Set(names.keys())]
    .filter((name) => !known.has(keyOf('query', name)))
    .map((name) => ({ name, in: 'query' }));
  return {
    operation: { ...found, parameters: [...found.parameters, ...further] },
    values: new Map([...inPath, ...inQuery]),
  };
}

const fits = (template, segments) =>
  template.length === segments.length &&
  template.every((segment, at) => segment.startsWith('{') || segment === segments[at]);

const parametersIn = (path) => path.split('{').length - 1;
