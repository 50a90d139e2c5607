import type { AttributeInfo } from '@lintel/client';
import type { ExtensionField, ExtensionFieldProps, ExtensionParts } from '@lintel/react/console';
import { ErrorAlert } from '../../errors/error-alert.tsx';
import { Guarded } from './guarded.tsx';

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

/** A field of the extension; if it fails, its error is shown in the form. */
export const ExtensionFieldOf = ({
  field: { component: Content },
  ...props
}: ExtensionFieldProps & { readonly field: ExtensionField }) => (
  <Guarded fallback={(error) => <ErrorAlert error={error} />}>
    <Content {...props} />
  </Guarded>
);
