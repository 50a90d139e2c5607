import { memo } from 'react';
import { captionOf } from '../../../../model/model.ts';
import { useModel } from '../../../../model/model-provider.tsx';
import { useMessage } from '../form-context.ts';
import { LinesField } from '../lines/lines-field.tsx';
import { ElementsField } from './elements-field.tsx';
import { EmbeddedField } from './embedded-field.tsx';
import type { FieldProps } from './field-props.ts';
import { FileField } from './file-field.tsx';
import { JsonField } from './json-field.tsx';
import { PartField } from './part-field.tsx';
import { ReferenceField } from './reference-field.tsx';
import { ReferencesField } from './references-field.tsx';
import { ShownValue } from './shown-value.tsx';
import { ValueField } from './value-field.tsx';

/** The field of an attribute, with its caption, its value and what is wrong with it. */
export const Field = memo(function Field(props: FieldProps) {
  const { entity, field } = props;
  const { attribute, widget, isReadOnly } = field;
  const model = useModel();
  const error = useMessage(props.path);
  const label = attribute.name.startsWith('+') ? attribute.description : captionOf(model, entity, attribute.name);
  const labelled = { ...props, label, error };
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
