import { booleanValue, defineSettings, durationMsValue, listValue, setting, textValue } from '@lintel/config';

const MIN_TOKEN_LENGTH = 32;

/** Settings of dynamic registration (contract/clients.md#registration). */
export const registrationSettings = defineSettings({
  isEnabled: setting(
    'svc.auth.registration.enabled',
    booleanValue().default(false),
    'Whether programs that have the initial access token register clients (RFC 7591)',
  ),
  initialToken: setting(
    'svc.auth.registration.initial-access-token',
    textValue()
      .refine((text) => text.length >= MIN_TOKEN_LENGTH, `expected at least ${MIN_TOKEN_LENGTH} characters`)
      .refine((text) => /^[\w.~+/=-]+$/.test(text), 'expected characters of a bearer token (RFC 6750)')
      .optional(),
    'Token that a registration needs; at least 32 characters',
    { secret: true },
  ),
  scopes: setting(
    'svc.auth.registration.scopes',
    listValue().optional(),
    'Scopes that registered clients may ask for; else the one of `svc.authserver.scope`',
  ),
  clientLifeMs: setting(
    'svc.auth.registration.client-time-to-live',
    durationMsValue().optional(),
    'How long a registered client is valid; without a value until it is removed',
  ),
});
