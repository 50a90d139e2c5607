import type { EntityInfo } from '@lintel/client';
import { isToMany, type PathModel, type ResolvedPath, resolvePath } from '../paths/resolve-path.ts';

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

/** Whether the platform keeps the attribute. */
export const isSystem = (name: string): boolean => SYSTEM.has(name);

/** The columns of a list without a choice: the first attributes with one value that the user may view. */
export function firstColumnsOf({ entityName, properties }: EntityInfo, model: PathModel): readonly ResolvedPath[] {
  const names = properties.filter((each) => !isToMany(each) && each.type !== 'byteArray').map(({ name }) => name);
  return [...names.filter((name) => !isSystem(name)), ...names.filter(isSystem)]
    .map((name) => resolvePath(model, entityName, name))
    .filter((column) => column !== undefined)
    .slice(0, SHOWN_AT_FIRST);
}

/** Whether the server can sort by a path: its values are stored, and have an order. */
export const isSortable = ({ attribute, isMany, isStored }: ResolvedPath): boolean =>
  isStored &&
  !isMany &&
  (attribute.attributeType === 'ENUM' ||
    (attribute.attributeType === 'DATATYPE' && !['json', 'fileRef', 'byteArray'].includes(attribute.type)));
