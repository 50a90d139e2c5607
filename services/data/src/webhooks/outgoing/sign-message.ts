import { createHmac } from 'node:crypto';

/** Prefix of the secrets of Standard Webhooks; the key follows in base64. */
const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const KEY_BYTES = { min: 24, max: 64 } as const;

/** Whether a text is a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || !BASE64.test(encoded)) return false;
  const { length } = Buffer.from(encoded, 'base64');
  return length >= KEY_BYTES.min && length <= KEY_BYTES.max;
}

/** The headers of a message (Standard Webhooks 1.0): one signature for each secret that is valid. */
export function signedHeaders(
  message: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
