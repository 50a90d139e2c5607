import { Input, Textarea } from '@mantine/core';
import { lazy, Suspense, useId } from 'react';
import classes from './code-editor.module.css';

const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }));

/** What can be written at the end of a text. */
export interface Completion {
  readonly label: string;
  /** Where the label begins in the text; the text after it is replaced. */
  readonly from: number;
}

interface CodeEditorProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string;
  /** Absent for a text that cannot be changed here. */
  readonly onChange?: ((value: string) => void) | undefined;
  readonly language: 'json' | 'text';
  /** What can follow the text before the cursor. */
  readonly complete?: ((before: string) => readonly Completion[]) | undefined;
  readonly minLines?: number | undefined;
}

/** A text of a language with an editor for it, which is loaded when it is shown first. */
export function CodeEditor({ label, description, error, minLines = 3, ...editor }: CodeEditorProps) {
  const id = useId();
  // The same with and without an error: another value would make a new editor, which has no focus.
  const described = `${id}-description ${id}-error`;
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      description={description}
      error={error}
      errorProps={{ id: `${id}-error` }}
      descriptionProps={{ id: `${id}-description` }}
    >
      <Suspense
        fallback={
          <Textarea aria-label={label} value={editor.value} readOnly autosize minRows={minLines} maxRows={20} />
        }
      >
        <div className={classes['editor']} data-error={error !== undefined || undefined}>
          <CodeMirror {...editor} label={label} describedBy={described} minLines={minLines} />
        </div>
      </Suspense>
    </Input.Wrapper>
  );
}
