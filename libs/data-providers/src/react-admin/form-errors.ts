import { fieldErrorsOf } from '../records/field-errors.ts';

/**
 * Rejects with an error as react-admin expects it: `status` for the auth provider, `body.errors` for the fields of the
 * form, `message` for the notification.
 */
export function formErrors(cause: unknown): never {
  // What was aborted, and what react-admin has thrown itself.
  if (cause instanceof Error && (cause.name === 'AbortError' || !('code' in cause))) throw cause;
  const { message, status, code, fields } = fieldErrorsOf(cause);
  const body = { code, ...(Object.keys(fields).length > 0 && { errors: fields }) };
  throw Object.assign(new Error(message, { cause }), { name: 'HttpError', status, body });
}
