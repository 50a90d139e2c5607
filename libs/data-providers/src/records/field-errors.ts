import { RestError, ValidationError } from '@lintel/client';

/** An error as pages show it. */
export interface FieldErrors {
  readonly message: string;
  /** Of the response; 0 without one. */
  readonly status: number;
  /** The stable code; empty where it is no error of the service. */
  readonly code: string;
  /** Messages by the names of fields: `title`, `lines.0.quantity`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The parts of an error, with what the service says about attributes as messages of fields. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof RestError)) return { message, status: 0, code: '', fields: {} };
  const items = error instanceof ValidationError ? error.items : [];
  const { status, code, details } = error;
  return {
    message: [error.error, details].filter((text) => text !== '').join(': ') || code,
    status,
    code,
    fields: Object.fromEntries(items.toReversed().map((item) => [fieldOf(item.path), item.message])),
  };
}

const fieldOf = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1');
