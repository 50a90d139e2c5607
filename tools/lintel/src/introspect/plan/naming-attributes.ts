import type { Draft } from './draft.ts';
import type { AttributePlan } from './model-plan.ts';
import { singular, underscored } from './names.ts';

/** Columns that instances are named after where there is no name: the first one that exists. */
const NAMING = ['title', 'label', 'caption', 'number', 'code', 'username', 'email'];
const OF_A_PERSON = ['first_name', 'last_name'];

/**
 * The attributes that instances of an entity are named after: `name` and the like, `category_name` of the table
 * `categories`, the first and last name of a person, or the only column whose name ends with `_name`; else none.
 */
export function namingAttributes(draft: Draft, attributes: readonly AttributePlan[]): readonly string[] {
  const texts = new Set(
    attributes.filter(({ calls }) => /^(string|text)\(/.test(calls[0] ?? '')).map(({ name }) => name),
  );
  const columns = [...draft.paths]
    .filter(([, path]) => texts.has(path))
    .map(([column, path]) => [underscored(column), path] as const);
  const pathOf = (wanted: string): string | undefined => columns.find(([column]) => column === wanted)?.[1];
  const person = OF_A_PERSON.flatMap((column) => pathOf(column) ?? []);
  const name = pathOf('name') ?? pathOf(`${singular(draft.table.name)}_name`);
  if (name !== undefined) return [name];
  if (person.length === OF_A_PERSON.length) return person;
  const other = NAMING.map(pathOf).find((path) => path !== undefined);
  if (other !== undefined) return [other];
  const endings = columns.filter(([column]) => column.endsWith('_name')).map(([, path]) => path);
  return endings.length === 1 ? endings : [];
}
