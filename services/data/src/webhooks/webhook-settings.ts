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
    'Whether webhooks (`sys_Webhook`) send changes to external servers; the same in all data services',
  ),
  encryptionKey: setting(
    'svc.webhooks.encryption-key',
    textValue().optional(),
    'Secret that the secrets of webhooks are encrypted with; the same in all data services, one of its own is made from `svc.internal.secret` where it is absent',
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
    'Addresses and networks (`10.1.0.0/16`) that webhooks may be sent to although they are not public',
  ),
  /** Time a receiver has to respond; one that works longer does so afterwards, as the guide asks. */
  timeoutMs: 15_000,
  retryDelayMs: setting(
    'svc.webhooks.retry-delay',
    durationMsValue().default(5_000),
    'Longest wait before a delivery that failed is tried a second time; it doubles with every further attempt',
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
