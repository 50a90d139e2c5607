import { classifyError } from '@lintel/react';
import type { Text } from '../context.ts';

/** An error as people read it. */
export interface ErrorDescription {
  readonly title: string;
  /** What the service said. */
  readonly details: string;
  /** The stable code of the error, and the trace by which the log of the server has it. */
  readonly code: string;
  readonly trace: string | undefined;
}

/** Of errors of the page itself. */
const OWN_CODE = 'CONSOLE';

/** Says what happened in the language of the page, with the words and the code of the service. */
export function describeError(error: unknown, text: Text): ErrorDescription {
  const { kind, details, code, trace } = classifyError(error);
  return { title: text(`error.${kind}`), details, code: code === '' ? OWN_CODE : code, trace };
}
