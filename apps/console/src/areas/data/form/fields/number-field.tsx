import { useState } from 'react';
import { useLanguage } from '../../../../context.ts';
import { PlainInput } from '../../../../controls/plain-input.tsx';
import { fromInputNumber, toInputNumber } from '../../values/decimals.ts';
import classes from '../form.module.css';
import { captionProps, type LabelledFieldProps, useForm } from '../form-context.ts';

/** A number with all its digits: it never becomes a JavaScript number. */
export function NumberField(props: LabelledFieldProps) {
  const { value, path, cellLabel } = props;
  const { locale } = useLanguage();
  const { change } = useForm();
  // What was typed, as long as it stands for the value: `1,0` stays while zeros follow.
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string }>();
  const stored = value === null || value === undefined ? '' : String(value);
  const shown = typed !== undefined && typed.value === stored ? typed.text : toInputNumber(stored, locale);
  return (
    <PlainInput
      {...captionProps(props)}
      className={cellLabel === undefined ? '' : (classes['number'] ?? '')}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      onChange={({ currentTarget: { value: text } }) => {
        const entered = fromInputNumber(text, locale);
        setTyped({ text, value: entered });
        change(path, entered);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
