import { type Deprecation, deprecationProblem } from './deprecation.ts';

/** Attributes of an XML element that announce a deprecation, with the members that they stand for. */
export const DEPRECATION_ATTRIBUTES = ['deprecatedSince', 'deprecatedSunset', 'deprecatedLink'] as const;

/**
 * The deprecation of a query or method of an XML resource; undefined without its attributes.
 *
 * @param fail called with what is wrong; throws
 */
export function readDeprecation(
  attributes: Readonly<Record<string, string>>,
  fail: (problem: string) => never,
): Deprecation | undefined {
  const [since, sunset, link] = DEPRECATION_ATTRIBUTES.map((name) => attributes[name]?.trim());
  if (since === undefined) {
    const alone = DEPRECATION_ATTRIBUTES.find((name) => attributes[name] !== undefined);
    return alone === undefined ? undefined : fail(`the attribute "${alone}" needs "deprecatedSince"`);
  }
  const deprecation = {
    since,
    ...(sunset === undefined ? {} : { sunset }),
    ...(link === undefined ? {} : { link }),
  };
  const problem = deprecationProblem(deprecation);
  return problem === undefined ? deprecation : fail(problem.replace(/'deprecated\.(\w)(\w+)'/g, toAttribute));
}

const toAttribute = (_: string, first: string, rest: string): string => `"deprecated${first.toUpperCase()}${rest}"`;
