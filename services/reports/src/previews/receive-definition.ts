import { PlatformError } from '@lintel/errors';
import { z } from 'zod';

/** Characters of a definition that is checked; those of the example have 5,000. */
const MAX_CHARACTERS = 200_000;

const schema = z.strictObject({ definition: z.string().max(MAX_CHARACTERS) });

/**
 * The definition in the body of a check.
 *
 * @throws PlatformError REPORT_INVALID_BODY that names the member
 */
export function receiveDefinition(body: string): string {
  const { success, data, error } = schema.safeParse(parsed(body));
  if (success) return data.definition;
  const problems = error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new PlatformError('REPORT_INVALID_BODY', problems.join('; '));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new PlatformError('REPORT_INVALID_BODY', 'The body is not JSON', { cause });
  }
}
