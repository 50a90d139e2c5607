import { fieldErrorsOf } from '../records/field-errors.ts';

/** Rejects with an `HttpError` of Refine: `statusCode`, and `errors` for the fields of the form. */
export function httpErrors(cause: unknown): never {
  if (cause instanceof Error && (cause.name === 'AbortError' || !('code' in cause))) throw cause;
  const { message, status, code, fields } = fieldErrorsOf(cause);
  throw Object.assign(new Error(message, { cause }), {
    statusCode: status,
    code,
    ...(Object.keys(fields).length > 0 && { errors: fields }),
  });
}
