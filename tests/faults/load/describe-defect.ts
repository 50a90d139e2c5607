interface ErrorBody {
  readonly error?: unknown;
  readonly details?: unknown;
  readonly error_description?: unknown;
}

/** What is wrong with the form of a refusal; nothing where it has the form of the API. */
export function describeDefect(response: Response, bytes: Uint8Array): string | undefined {
  const { status, headers } = response;
  const text = new TextDecoder().decode(bytes);
  if (status < 400 || status > 599) return `the status ${status} is no refusal`;
  // A fault of the surroundings is no fault of the program.
  if (status === 500) return `500 ${text}`;
  if (status === 400) return `a sound request was refused with 400 ${text}`;
  if (status === 503 && !headers.has('retry-after')) return `503 without Retry-After: ${text}`;
  // An instance that is not there has no body.
  if (status === 404 && bytes.length === 0) return undefined;
  if (!headers.get('content-type')?.startsWith('application/json')) return `${status} that is no JSON: ${text}`;
  return hasForm(text) ? undefined : `${status} in another form: ${text}`;
}

function hasForm(text: string): boolean {
  try {
    const body = JSON.parse(text) as ErrorBody | readonly unknown[];
    if (Array.isArray(body)) return true;
    const { error, details, error_description } = body as ErrorBody;
    return typeof error === 'string' && typeof (details ?? error_description) === 'string';
  } catch {
    return false;
  }
}
