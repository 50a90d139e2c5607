import { isObject } from '@lintel/react';
import { Code, Input } from '@mantine/core';
import { useLanguage, useModel } from '../../../../context.ts';
import { TextLink } from '../../../../controls/texts.tsx';
import '@mantine/core/styles/Code.css';
import { instancePath } from '../../instance-path.ts';
import { formatValue } from '../../values/format-value.ts';
import { ErrorText } from '../checking/error-text.tsx';
import classes from '../form.module.css';
import type { LabelledFieldProps } from '../form-context.ts';

/** A value that is not entered; a reference leads to its instance. */
export function ShownValue({ field, value, label, error, cellLabel }: LabelledFieldProps) {
  const { attribute, widget } = field;
  const { text, locale } = useLanguage();
  const model = useModel();
  const shown = formatValue(value, attribute, { locale, text, enums: model.enums });
  const target =
    widget === 'reference' && isObject(value) && model.rights.may(attribute.type, 'read') ? value : undefined;
  const content =
    target !== undefined ? (
      <TextLink to={instancePath(attribute.type, target['id'])}>{shown}</TextLink>
    ) : attribute.type === 'json' && value !== undefined && value !== null ? (
      <Code block tabIndex={0}>
        {JSON.stringify(value, undefined, 2)}
      </Code>
    ) : (
      <p className={classes['shown']}>{shown === '' ? '–' : shown}</p>
    );
  if (cellLabel !== undefined) return content;
  return (
    <div className={Input.classes.root}>
      <div className={Input.classes.label}>{label}</div>
      {content}
      <ErrorText message={error} />
    </div>
  );
}
