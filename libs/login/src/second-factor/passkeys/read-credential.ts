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

/** Pages of this server are never frames of other sites. */
const clientDataSchema = z.looseObject({ crossOrigin: z.literal(false).optional() });

/** The JSON that the script of the page has sent; undefined if it is of another kind, or of a frame. */
export function readCredential<T>(text: string): T | undefined {
  try {
    const credential = credentialSchema.parse(JSON.parse(text));
    clientDataSchema.parse(JSON.parse(Buffer.from(credential.response.clientDataJSON, 'base64url').toString()));
    return credential as T;
  } catch {
    return undefined;
  }
}
