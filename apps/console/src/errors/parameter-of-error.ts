import { RestError, ValidationError } from '@lintel/client';

/** The mistakes in parameters, by their names. Empty if the error is about none of them. */
export function parameterErrors(error: unknown, names: readonly string[]): ReadonlyMap<string, string> {
  if (error instanceof ValidationError)
    return new Map(
      error.items.flatMap(({ path, message }): [string, string][] => {
        const name = path.split(/[.[]/).find((segment) => names.includes(segment));
        return name === undefined ? [] : [[name, sentenceOf(message)]];
      }),
    );
  if (!(error instanceof RestError) || error.status !== 400) return new Map();
  // The details name the parameter; of two names the longer one, since it can contain the other one.
  const words = new Set(error.details.split(/[^\w$]+/));
  const [named] = names.filter((name) => words.has(name)).sort((one, other) => other.length - one.length);
  return named === undefined ? new Map() : new Map([[named, error.details]]);
}

/** Whether an error consists of mistakes in these attributes. */
export const isAtFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof ValidationError && error.items.every(({ path }) => fields.includes(path.split(/[.[]/)[0] ?? ''));

/** A message as a whole sentence: the service writes messages that continue the name of an attribute. */
export const sentenceOf = (message: string): string => message.charAt(0).toLocaleUpperCase() + message.slice(1);

/** Messages as they stand alone. */
export const sentencesOf = (messages: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...messages].map(([path, message]) => [path, sentenceOf(message)]));
