import type { Request, Response } from 'express';
import type { Forwarded } from './create-forwarded-reader.ts';
import { type StrictTransportOptions, strictTransport } from './strict-transport.ts';

/** The header of a response. */
function headerOf(isEncrypted: boolean, options: Partial<StrictTransportOptions>): string | undefined {
  let header: string | undefined;
  const handle = strictTransport({
    maxAgeMs: 3_600_000,
    hasTrustedProxies: false,
    forwardedOf: () => ({ proto: 'https' }) as Forwarded,
    ...options,
  });
  handle(
    { socket: isEncrypted ? { encrypted: true } : {} } as unknown as Request,
    {
      setHeader(_name: string, value: string) {
        header = value;
      },
    } as unknown as Response,
    () => undefined,
  );
  return header;
}

test('responses over TLS carry Strict-Transport-Security, of the gateway or of a trusted proxy', () => {
  expect(headerOf(true, {})).toBe('max-age=3600');
  expect(headerOf(false, { hasTrustedProxies: true })).toBe('max-age=3600');
});

test('responses over plain HTTP do not', () => {
  expect(headerOf(false, {})).toBeUndefined();
  const forwardedOf = () => ({ proto: 'http' }) as Forwarded;
  expect(headerOf(false, { hasTrustedProxies: true, forwardedOf })).toBeUndefined();
});
