import type { DetailedEntityInfo } from '@lintel/client';
import { AUTOMATIC_ATTRIBUTES, type Rights } from '@lintel/react';

import { type FormAttribute, formAttributesOf, type Widget } from '../attributes/form-attributes.ts';

/** More columns are too narrow; the form of the line has all attributes. */
const MAX_COLUMNS = 5;
/** What needs more room than a cell. */
const NOT_IN_CELLS = new Set<Widget>([
  'elements',
  'embedded',
  'file',
  'json',
  'lines',
  'part',
  'password',
  'references',
]);

/** The attributes of a line that are the columns of its table. */
export function columnsOfLines(
  entity: DetailedEntityInfo,
  rights: Rights,
  inverse: string | undefined,
): readonly FormAttribute[] {
  return formAttributesOf(entity, rights, false)
    .filter(
      ({ attribute: { name }, widget }) =>
        name !== inverse &&
        name !== 'id' &&
        name !== entity.key &&
        !AUTOMATIC_ATTRIBUTES.has(name) &&
        !NOT_IN_CELLS.has(widget),
    )
    .slice(0, MAX_COLUMNS);
}
