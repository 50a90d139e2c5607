import { useLanguage, useModel } from '../../../../context.ts';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Radio.css';
import { Checkbox, Group, NativeSelect, Radio, Switch, Textarea } from '@mantine/core';
import { PlainInput } from '../../../../controls/plain-input.tsx';
import { inputOfMoment, inputTypeOf, stepOf } from '../../values/input-type.ts';
import { captionProps, type LabelledFieldProps, useForm } from '../form-context.ts';
import { NumberField } from './number-field.tsx';

/** Longer texts have several rows. */
const LONG_TEXT = 80;

/** A single value. */
export function ValueField(props: LabelledFieldProps) {
  const { field, value, path, cellLabel } = props;
  const { attribute, widget } = field;
  const { text } = useLanguage();
  const model = useModel();
  const { change } = useForm();
  const caption = captionProps(props);
  const shown = value === null || value === undefined ? '' : String(value);
  const onChange = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    change(path, currentTarget.value);
  const onCheck = ({ currentTarget }: { readonly currentTarget: { readonly checked: boolean } }): void =>
    change(path, currentTarget.checked);
  const constants = (model.enums.get(attribute.type)?.values ?? []).map(({ name, caption: label }) => ({
    value: name,
    label,
  }));
  switch (widget) {
    case 'boolean':
    case 'checkbox': {
      const Control = widget === 'boolean' ? Switch : Checkbox;
      const { withAsterisk: _none, ...bare } = caption as typeof caption & { readonly withAsterisk?: boolean };
      return <Control {...bare} checked={value === true} onChange={onCheck} />;
    }
    case 'radio':
      return (
        <Radio.Group {...caption} value={shown} onChange={(chosen) => change(path, chosen)}>
          <Group gap="sm" mt={4}>
            {constants.map((each) => (
              <Radio key={each.value} value={each.value} label={each.label} />
            ))}
          </Group>
        </Radio.Group>
      );
    case 'enum':
      return (
        <NativeSelect {...caption} value={shown} onChange={onChange} data={[{ value: '', label: '' }, ...constants]} />
      );
    case 'choice':
      return (
        <NativeSelect
          {...caption}
          value={shown}
          onChange={onChange}
          data={[...new Set(['', ...(attribute.values ?? []), shown])]}
        />
      );
    case 'date':
    case 'dateTime':
    case 'time':
      return (
        <PlainInput
          {...caption}
          type={inputTypeOf(attribute.type, shown)}
          {...(widget !== 'date' && { step: stepOf(shown) })}
          value={shown}
          onChange={onChange}
        />
      );
    case 'pointInTime': {
      const { momentOf, ...input } = inputOfMoment(shown);
      return (
        <PlainInput
          {...caption}
          {...input}
          step={stepOf(input.value)}
          {...(cellLabel === undefined && { description: text('field.zone', { zone: ZONE }) })}
          onChange={({ currentTarget }) => change(path, momentOf(currentTarget.value) ?? null)}
        />
      );
    }
    case 'number':
      return <NumberField {...props} />;
    case 'password':
      return (
        <PlainInput
          {...caption}
          type="password"
          autoComplete="new-password"
          {...(cellLabel === undefined && { description: text('field.writeOnly') })}
          value={shown}
          onChange={onChange}
        />
      );
    case 'textarea':
      return <Textarea {...caption} rows={cellLabel === undefined ? 4 : 2} value={shown} onChange={onChange} />;
    default:
      if (cellLabel === undefined && (shown.length > LONG_TEXT || shown.includes('\n')))
        return <Textarea {...caption} rows={4} value={shown} onChange={onChange} />;
      return <PlainInput {...caption} value={shown} onChange={onChange} />;
  }
}

/** The zone of the user. */
const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
