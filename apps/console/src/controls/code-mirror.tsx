import { autocompletion, type CompletionSource, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { pageNonce } from '../theme/page-nonce.ts';
import type { Completion } from './code-editor.tsx';

interface CodeMirrorProps {
  readonly label: string;
  /** Id of the element with its description or its error. */
  readonly describedBy: string;
  readonly value: string;
  readonly onChange?: ((value: string) => void) | undefined;
  readonly language: 'json' | 'text';
  readonly complete?: ((before: string) => readonly Completion[]) | undefined;
  readonly minLines: number;
}

const LINE_HEIGHT_REM = 1.4;

/** Colours of the theme, light and dark. */
const HIGHLIGHTING = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--mantine-color-indigo-text)' },
  { tag: tags.string, color: 'var(--mantine-color-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--mantine-color-violet-text)' },
]);

const themeOf = (minLines: number) =>
  EditorView.theme({
    '&': { fontSize: 'var(--mantine-font-size-sm)', backgroundColor: 'transparent' },
    '&.cm-focused': { outline: 'none' },
    '.cm-content': {
      minHeight: `${minLines * LINE_HEIGHT_REM}rem`,
      fontFamily: 'var(--mantine-font-family-monospace)',
      caretColor: 'var(--mantine-color-text)',
    },
    '.cm-scroller': { maxHeight: '60vh', lineHeight: LINE_HEIGHT_REM },
    '.cm-gutters': {
      backgroundColor: 'transparent',
      border: 'none',
      color: 'var(--mantine-color-dimmed)',
    },
    '.cm-tooltip': {
      color: 'var(--mantine-color-text)',
      backgroundColor: 'var(--mantine-color-body)',
      border: '1px solid var(--mantine-color-default-border)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      color: 'var(--mantine-primary-color-contrast)',
      backgroundColor: 'var(--mantine-primary-color-filled)',
    },
  });

/** CodeMirror as a controlled field. The tabulator leaves it, as it leaves every other field. */
export function CodeMirror(props: CodeMirrorProps) {
  const { label, describedBy, value, language, minLines } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  // What the editor calls is that of the last rendering.
  const current = useRef(props);
  current.current = props;
  const isEditable = props.onChange !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the value is followed below, without a new editor
  useEffect(() => {
    const complete: CompletionSource = ({ state, pos }) => {
      const options = current.current.complete?.(state.sliceDoc(0, pos)) ?? [];
      const [first] = options;
      return first === undefined ? null : { from: first.from, options: [...options], filter: false };
    };
    const element = parent.current;
    if (element === null) return undefined;
    const created = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: value,
        extensions: [
          EditorView.cspNonce.of(pageNonce),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy }),
          EditorView.editable.of(isEditable),
          EditorState.readOnly.of(!isEditable),
          history(),
          bracketMatching(),
          syntaxHighlighting(HIGHLIGHTING),
          autocompletion({ override: [complete], icons: false }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          language === 'json' ? [json(), lineNumbers()] : [],
          themeOf(minLines),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged && state.doc.toString() !== current.current.value)
              current.current.onChange?.(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, [label, describedBy, language, isEditable, minLines]);

  useEffect(() => {
    const editor = view.current;
    const shown = editor?.state.doc.toString();
    if (editor !== undefined && shown !== value)
      editor.dispatch({ changes: { from: 0, to: shown?.length ?? 0, insert: value } });
  }, [value]);

  return <div ref={parent} />;
}
