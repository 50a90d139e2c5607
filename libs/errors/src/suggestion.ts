import { distance } from 'fastest-levenshtein';

/** How names are compared. */
export interface SuggestionOptions {
  /** The form in which two spellings are equal; by default the lower-case letters. */
  readonly form?: (name: string) => string;
  /** Maximum of letters that differ; by default a third of the unknown name, and at least one. */
  readonly maxChanges?: number;
}

/** The known name that has the nearest spelling; undefined if none is near. */
export function nearestName(
  name: string,
  known: Iterable<string>,
  options: SuggestionOptions = {},
): string | undefined {
  const { form = lowerCase, maxChanges = Math.max(1, Math.floor(name.length / 3)) } = options;
  const wanted = form(name);
  let best: string | undefined;
  let limit = maxChanges + 1;
  for (const candidate of known) {
    const changes = changesBetween(wanted, form(candidate));
    if (changes < limit) [best, limit] = [candidate, changes];
  }
  return best;
}

/** `; did you mean x?` with the nearest name, for the end of an error about an unknown one; empty if none is near. */
export function suggestion(name: string, known: Iterable<string>, options?: SuggestionOptions): string {
  const nearest = nearestName(name, known, options);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

const lowerCase = (name: string): string => name.toLowerCase();

/** The letters to insert, delete or replace; two neighbours in the wrong order are one change. */
function changesBetween(one: string, other: string): number {
  const changes = distance(one, other);
  return changes === 2 && sorted(one) === sorted(other) ? 1 : changes;
}

const sorted = (text: string): string => [...text].toSorted().join('');
