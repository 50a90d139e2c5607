import type { DescribedObject } from './describe-objects.ts';

/** One difference between the database and what the entities were written from. */
export interface ObjectChange {
  readonly kind: 'new' | 'removed' | 'changed';
  readonly object: string;
  readonly table: string;
  /** Undefined for the table itself. */
  readonly name?: string;
  readonly before?: string;
  readonly after?: string;
}

/** All differences, in the order of the objects; of a new or removed table only the table. Pure. */
export function compareObjects(
  before: readonly DescribedObject[],
  after: readonly DescribedObject[],
): readonly ObjectChange[] {
  const keyOf = ({ object, table, name }: DescribedObject): string => [object, table, name].join('\t');
  const [known, found] = [before, after].map((objects) => new Map(objects.map((each) => [keyOf(each), each])));
  const tablesOf = (objects: readonly DescribedObject[]): ReadonlySet<string> =>
    new Set(objects.map(({ table }) => table));
  const [knownTables, foundTables] = [tablesOf(before), tablesOf(after)];
  return [...new Set([...before, ...after].map(keyOf))].flatMap((key): readonly ObjectChange[] => {
    const [was, is] = [known?.get(key), found?.get(key)];
    const subject = was ?? is;
    if (subject === undefined || was?.definition === is?.definition) return [];
    const { object, table, name } = subject;
    const isWhole = name !== '' && !(knownTables.has(table) && foundTables.has(table));
    if (isWhole) return [];
    return [
      {
        kind: was === undefined ? 'new' : is === undefined ? 'removed' : 'changed',
        object,
        table,
        ...(name === '' ? {} : { name }),
        ...(was === undefined ? {} : { before: was.definition }),
        ...(is === undefined ? {} : { after: is.definition }),
      },
    ];
  });
}

/** `changed  column public.orders.total: integer, was smallint` */
export function changeText({ kind, object, table, name, before, after }: ObjectChange): string {
  const location = `${kind.padEnd(7)} ${object} ${name === undefined ? table : `${table}.${name}`}`;
  return kind === 'changed' ? `${location}: ${after}, was ${before}` : `${location}: ${after ?? before}`;
}
