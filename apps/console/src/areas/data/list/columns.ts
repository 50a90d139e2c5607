import type { AttributeInfo, EntityInfo } from '@lintel/client';
import type { Model } from '../../../model/model.ts';

/** Attributes that the platform keeps, last in every choice. */
const SYSTEM = new Set([
  'id',
  'version',
  'createdDate',
  'createdBy',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
]);
const SHOWN_AT_FIRST = 6;

/** The attributes that a list can show: those with one value that the user may view, the platform's own last. */
export function columnsOf(
  { entityName, properties }: EntityInfo,
  { rights }: Pick<Model, 'rights'>,
): readonly AttributeInfo[] {
  const visible = properties.filter(
    ({ name, cardinality, type }) =>
      !cardinality.endsWith('_TO_MANY') && type !== 'byteArray' && rights.mayView(entityName, name),
  );
  const isSystem = ({ name }: AttributeInfo): boolean => SYSTEM.has(name);
  return [...visible.filter((each) => !isSystem(each)), ...visible.filter(isSystem)];
}

/** The columns of a list without a configuration. */
export const firstColumnsOf = (columns: readonly AttributeInfo[]): readonly string[] =>
  columns.slice(0, SHOWN_AT_FIRST).map(({ name }) => name);

/** Whether the server can sort by an attribute: it needs a column, and a value that has an order. */
export const isSortable = ({ persistent, attributeType, type }: AttributeInfo): boolean =>
  persistent && (attributeType === 'ENUM' || (attributeType === 'DATATYPE' && !['json', 'fileRef'].includes(type)));

/** A plan that shows the attributes, and of references their names. */
export const planOf = (names: readonly string[]): Readonly<Record<string, true>> =>
  Object.fromEntries(names.map((name) => [name, true]));
