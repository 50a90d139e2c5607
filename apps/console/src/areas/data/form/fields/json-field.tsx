import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../../../language/text-provider.tsx';
import { useForm } from '../form-context.ts';
import type { LabelledFieldProps } from './field-props.ts';

/** A JSON value as a text, whose syntax is checked while it is written. */
export function JsonField({ value, path, label, error }: LabelledFieldProps) {
  const text = useText();
  const { change, report } = useForm();
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown }>();
  const isTyped = typed !== undefined && (typed.value === value || error !== undefined);
  const shown = isTyped ? typed.text : value === undefined || value === null ? '' : JSON.stringify(value, undefined, 2);
  return (
    <Textarea
      label={label}
      error={error}
      autosize
      minRows={3}
      maxRows={20}
      spellCheck={false}
      value={shown}
      onChange={({ currentTarget: { value: written } }) => {
        try {
          const parsed: unknown = written.trim() === '' ? null : JSON.parse(written);
          setTyped({ text: written, value: parsed });
          report(path, undefined);
          change(path, parsed);
        } catch (mistake) {
          setTyped({ text: written, value });
          report(path, text('check.json', { message: mistake instanceof Error ? mistake.message : String(mistake) }));
        }
      }}
    />
  );
}
