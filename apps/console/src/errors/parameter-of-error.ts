import { RestError, ValidationError } from '@lintel/client';

/** What is wrong with parameters, by their names. Empty if the error is about none of them. */
export function parameterErrors(error: unknown, names: readonly string[]): ReadonlyMap<string, string> {
  if (error instanceof ValidationError)
    return new Map(
      error.items.flatMap(({ path, message }): [string, string][] => {
        const name = path.split(/[.[]/).find((segment) => names.includes(segment));
        return name === undefined ? [] : [[name, message]];
      }),
    );
  if (!(error instanceof RestError) || error.status !== 400) return new Map();
  // The details name the parameter; of two names the longer one, since it can contain the other one.
  const words = new Set(error.details.split(/[^\w$]+/));
  const [named] = names.filter((name) => words.has(name)).sort((one, other) => other.length - one.length);
  return named === undefined ? new Map() : new Map([[named, error.details]]);
}
