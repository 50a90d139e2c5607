import type { ExistingDatabase } from './existing-database.ts';

/** The report of `lintel introspect` as text: the entities and their tables, then what the model does not have. */
export const reportText = ({ entities, findings }: ExistingDatabase['report']): string =>
  [
    ...entities.map(({ entity, table }) => `${entity} = ${table}`),
    '',
    ...findings.map(({ table, object, name, reason }) =>
      `${object} ${name === undefined ? table : `${table}.${name}`} ${reason}`.replaceAll(/\s+/g, ' '),
    ),
    '',
  ].join('\n');
