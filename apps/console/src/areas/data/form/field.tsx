import { memo } from 'react';
import { captionOf, useModel } from '../../../context.ts';
import { ExtensionFieldOf } from '../../../extension/parts/extension-values.tsx';
import { fieldFor } from '../../../extension/parts/field-for.ts';
import { ElementsField } from './fields/elements-field.tsx';
import { EmbeddedField } from './fields/embedded-field.tsx';
import { FileField } from './fields/file-field.tsx';
import { JsonField } from './fields/json-field.tsx';
import { PartField } from './fields/part-field.tsx';
import { ReferenceField } from './fields/reference-field.tsx';
import { ReferencesField } from './fields/references-field.tsx';
import { ShownValue } from './fields/shown-value.tsx';
import { ValueField } from './fields/value-field.tsx';
import { type FieldProps, useForm, useMessage } from './form-context.ts';
import { LinesField } from './lines/lines-field.tsx';

/** The field of an attribute, with its caption, its value and what is wrong with it. */
export const Field = memo(function Field(props: FieldProps) {
  const { entity, field } = props;
  const { attribute, widget, isReadOnly } = field;
  const model = useModel();
  const { extension, change } = useForm();
  const error = useMessage(props.path);
  const label = captionOf(model, entity, attribute.name);
  const labelled = { ...props, label, error };
  const own = props.cellLabel === undefined ? fieldFor(extension, entity, attribute) : undefined;
  if (own !== undefined)
    return (
      <ExtensionFieldOf
        field={own}
        entity={entity}
        attribute={attribute}
        label={label}
        value={props.value}
        error={error}
        isReadOnly={isReadOnly}
        isRequired={attribute.mandatory}
        onChange={(value) => change(props.path, value)}
      />
    );
  switch (widget) {
    case 'lines':
      return <LinesField {...labelled} />;
    case 'part':
      return <PartField {...labelled} />;
    case 'embedded':
      return <EmbeddedField {...labelled} />;
    case 'references':
      return <ReferencesField {...labelled} />;
    case 'file':
      return <FileField {...labelled} />;
    default:
      break;
  }
  if (isReadOnly) return <ShownValue {...labelled} />;
  switch (widget) {
    case 'reference':
      return <ReferenceField {...labelled} />;
    case 'elements':
      return <ElementsField {...labelled} />;
    case 'json':
      return <JsonField {...labelled} />;
    default:
      return <ValueField {...labelled} />;
  }
});
