/** Names for `svc.security.allow-insecure`; without them, such settings are refused if other machines have access. */
export const INSECURITIES = [
  'compatible-profile',
  'default-secrets',
  'demo-data',
  'http-issuer',
  'no-bruteforce-protection',
  'short-client-secrets',
  'short-secrets',
  'unencrypted-directory',
  'unencrypted-mail',
  'webhooks-http',
] as const;
/** The name of an insecurity that `svc.security.allow-insecure` can allow. */
export type Insecurity = (typeof INSECURITIES)[number];

/** A setting that is insecure, and what to set instead. */
export interface InsecureSetting {
  readonly insecurity: Insecurity;
  /** `svc.demo.enabled: …`, without the value of a secret. */
  readonly problem: string;
}
