import { type Envelope, EVENTS, type EventType, envelopeSchema } from '@lintel/contracts';

/** Media type of a CloudEvents envelope in JSON. */
export const ENVELOPE_CONTENT_TYPE = 'application/cloudevents+json';

export function encodeEnvelope(envelope: Envelope): Buffer {
  return Buffer.from(JSON.stringify(envelope), 'utf8');
}

/** An envelope, or why these bytes can never become one. */
export type DecodedEnvelope = { readonly envelope: Envelope } | { readonly poison: string };

/**
 * Decodes an event. Unknown fields and types are accepted, so that a publisher can be newer than its consumers; data of
 * a known type must match its schema.
 */
export function decodeEnvelope(bytes: Buffer): DecodedEnvelope {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { poison: 'not JSON' };
  }
  const envelope = envelopeSchema.safeParse(json);
  if (!envelope.success) return { poison: `not an envelope: ${pathsOf(envelope.error.issues)}` };
  if (isKnown(envelope.data.type)) {
    const data = EVENTS[envelope.data.type].schema.safeParse(envelope.data.data);
    if (!data.success) return { poison: `data does not match ${envelope.data.type}: ${pathsOf(data.error.issues)}` };
  }
  return { envelope: envelope.data };
}

const isKnown = (type: string): type is EventType => Object.hasOwn(EVENTS, type);

/** Paths only: values of an event do not belong in the log. */
function pathsOf(issues: readonly { readonly path: readonly PropertyKey[] }[]): string {
  return issues.map((issue) => issue.path.map(String).join('.') || '(root)').join(', ');
}
