import { z } from 'zod';

const base64url = z.string().regex(/^[A-Za-z0-9_-]+={0,2}$/);

/** What all responses of browsers have; the library checks the rest. */
const credentialSchema = z.looseObject({
  id: base64url.max(1_400),
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
  response: z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url.optional(),
    authenticatorData: base64url.optional(),
    signature: base64url.optional(),
    userHandle: base64url.optional(),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});

/** The JSON that the script of the page has sent; undefined if it is none of a passkey. */
export function readCredential<T>(text: string): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = credentialSchema.safeParse(value);
  return parsed.success ? (parsed.data as T) : undefined;
}
