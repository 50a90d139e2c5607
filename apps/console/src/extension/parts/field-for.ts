import type { AttributeInfo } from '@lintel/client';
import type { ExtensionField, ExtensionParts } from '@lintel/react/console';

/** The field of the extension for an attribute, if there is one: that for the attribute itself before that for its datatype. */
export function fieldFor(
  { fields = [] }: ExtensionParts,
  entity: string,
  { name, attributeType, type }: AttributeInfo,
): ExtensionField | undefined {
  return (
    fields.find((each) => 'attribute' in each && each.entity === entity && each.attribute === name) ??
    fields.find((each) => 'datatype' in each && attributeType === 'DATATYPE' && each.datatype === type)
  );
}
