/** Values of attributes by their names, as the API has them. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether two values are the same for a write: nothing is nothing, and a reference is its id. */
export const isSame = (one: unknown, other: unknown): boolean => comparable(one) === comparable(other);

function comparable(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'null';
  if (typeof value === 'object' && !Array.isArray(value) && 'id' in value) return JSON.stringify(value.id);
  return JSON.stringify(value);
}

/** The attributes that differ, with the new values; an empty text is no value, a reference only its id. */
export function changedValues(before: Values, after: Values): Values {
  const changed = Object.entries(after).filter(([name, value]) => !isSame(before[name], value));
  return Object.fromEntries(changed.map(([name, value]) => [name, toWrite(value)]));
}

function toWrite(value: unknown): unknown {
  if (value === '' || value === undefined) return null;
  if (typeof value === 'object' && value !== null && 'id' in value) return { id: value.id };
  return value;
}

/** An attribute whose value somebody else has changed, or the user, or both. */
export interface Difference {
  readonly name: string;
  readonly before: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Both have changed it, to different values. */
  readonly isConflict: boolean;
}

/** Compares what the user began with, what the user has entered, and what is stored now. */
export function compareThreeWays(
  before: Values,
  mine: Values,
  theirs: Values,
  names: readonly string[],
): readonly Difference[] {
  return names
    .map((name) => {
      const [was, own, other] = [before[name], name in mine ? mine[name] : before[name], theirs[name]];
      const isConflict = !isSame(was, own) && !isSame(was, other) && !isSame(own, other);
      return { name, before: was, mine: own, theirs: other, isConflict };
    })
    .filter(({ before: was, mine: own, theirs: other }) => !isSame(was, own) || !isSame(was, other));
}
