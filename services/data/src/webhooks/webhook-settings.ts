import {
  booleanValue,
  defineSettings,
  durationMsValue,
  listValue,
  type SettingsOf,
  setting,
  textValue,
} from '@lintel/config';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The settings of webhooks, part of the settings of the data service. */
export const webhookSettings = defineSettings({
  enabled: setting(
    'svc.webhooks.enabled',
    booleanValue().default(false),
    'Whether webhooks (`sys_Webhook`) send changes to external servers',
  ),
  encryptionKey: setting(
    'svc.webhooks.encryption-key',
    textValue().optional(),
    'Encrypts the secrets of webhooks; the same in all data services, by default derived from `svc.internal.secret`',
    { secret: true },
  ),
  allowInsecureHttp: setting(
    'svc.webhooks.allow-insecure-http',
    booleanValue().default(false),
    'Whether webhooks may be sent without TLS; never in production',
  ),
  allowedNetworks: setting(
    'svc.webhooks.allowed-networks',
    listValue().default([]),
    'Private addresses and networks (`10.1.0.0/16`) that webhooks may be sent to',
  ),
  /** Time a receiver has to respond; one that works longer does so afterwards, as the guide asks. */
  timeoutMs: 15_000,
  retryDelayMs: setting(
    'svc.webhooks.retry-delay',
    durationMsValue().default(5_000),
    'Longest wait before the second attempt of a delivery; it doubles with every attempt',
  ),
  giveUpAfterMs: setting(
    'svc.webhooks.give-up-after',
    durationMsValue().default(3 * DAY_MS),
    'How long a delivery is tried; then it has failed',
  ),
  /** How long deliveries are signed with the former secret, too: a receiver is changed within a working day. */
  secretOverlapMs: DAY_MS,
  /** How long finished deliveries are kept: a receiver that misses one is noticed within a month. */
  logRetentionMs: 30 * DAY_MS,
});

export type WebhookConfig = SettingsOf<typeof webhookSettings>;
