import type { DescribedObject } from './describe-objects.ts';

/** Name of the file in the folder of the entities: what they were written from. */
export const OBJECTS_FILE = 'database.txt';

const TITLE = '# What the entities were written from; "lintel introspect --changes" compares the database with it.';

/** One object in each line, its parts separated by tabs. Pure. */
export const formatObjects = (objects: readonly DescribedObject[]): string =>
  [
    TITLE,
    ...objects.map(({ object, table, name, definition }) => [object, table, name, definition].join('\t')),
    '',
  ].join('\n');

/** The objects of a file that `formatObjects` has written; lines of another form are left out. Pure. */
export const parseObjects = (text: string): readonly DescribedObject[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [object = '', table, name, definition] = line.split('\t');
    return table === undefined || name === undefined || definition === undefined
      ? []
      : [{ object, table, name, definition }];
  });
