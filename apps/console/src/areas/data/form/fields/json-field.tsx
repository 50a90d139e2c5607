import { useState } from 'react';
import { useText } from '../../../../context.ts';
import { CodeEditor } from '../../../../controls/code-editor.tsx';
import { type LabelledFieldProps, useForm, useMessagesInside } from '../form-context.ts';

interface Typed {
  readonly text: string;
  /** That of the text, or the last one before it. */
  readonly value: unknown;
  readonly isValid: boolean;
}

/** A JSON value as a text, whose syntax is checked while it is written. */
export function JsonField({ value, path, label }: LabelledFieldProps) {
  const text = useText();
  // The server names members of the value, too.
  const error = useMessagesInside(path);
  const { change, report } = useForm();
  const [typed, setTyped] = useState<Typed>();
  // A text without a value is gone with its message, for example when the input is discarded.
  const isTyped = typed?.value === value && (typed?.isValid === true || error !== undefined);
  const shown =
    isTyped && typed !== undefined
      ? typed.text
      : value === undefined || value === null
        ? ''
        : JSON.stringify(value, undefined, 2);
  return (
    <CodeEditor
      label={label}
      error={error}
      language="json"
      value={shown}
      onChange={(written) => {
        try {
          const parsed: unknown = written.trim() === '' ? null : JSON.parse(written);
          setTyped({ text: written, value: parsed, isValid: true });
          report(path, undefined);
          change(path, parsed);
        } catch (mistake) {
          setTyped({ text: written, value, isValid: false });
          report(path, text('check.json', { message: mistake instanceof Error ? mistake.message : String(mistake) }));
        }
      }}
    />
  );
}
