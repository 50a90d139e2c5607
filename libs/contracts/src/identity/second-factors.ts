import { z } from 'zod';

/*
 * Bodies of the internal listener of auth for the second factors of users: `POST /internal/second-factors` lists those
 * of a user, `…/offer` and `…/confirm` add an authenticator app, `…/remove` removes factors, `…/recovery-codes` makes
 * new codes. The caller decides who may do that.
 */

const username = z.string().min(1).max(255);

export const secondFactorsRequestSchema = z.object({ username });

export const secondFactorSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['totp', 'passkey']),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;

/** The oldest first, and how many recovery codes are left. */
export const secondFactorsResponseSchema = z.object({
  factors: z.array(secondFactorSchema),
  recoveryCodes: z.int().min(0),
});
export type SecondFactors = z.infer<typeof secondFactorsResponseSchema>;

/** The key of an app that no code has confirmed yet; `offer` stands for it in the confirmation, for ten minutes. */
export const appOfferSchema = z.object({
  key: z.string().describe('Base32'),
  uri: z.string().describe('The `otpauth` URI, for a QR code'),
  offer: z.string().describe('Identifies the key in the confirmation'),
});
export type AppOffer = z.infer<typeof appOfferSchema>;

export const confirmAppRequestSchema = z.object({
  username,
  offer: z.string().min(1).max(1000),
  code: z.string().min(1).max(100),
  name: z.string().min(1).max(100),
});
export type ConfirmAppRequest = z.infer<typeof confirmAppRequestSchema>;

/** With the first factor of a user come the recovery codes. */
export const confirmAppResponseSchema = z.union([
  z.object({ outcome: z.literal('added'), id: z.string(), recoveryCodes: z.array(z.string()).optional() }),
  z.object({ outcome: z.enum(['wrong-code', 'expired', 'too-many']) }),
]);
export type ConfirmAppResponse = z.infer<typeof confirmAppResponseSchema>;

/** Without `id` all factors of the user. */
export const removeFactorsRequestSchema = z.object({
  username,
  id: z.uuid().optional(),
  /** Who removes them, for the log of security events. */
  by: username,
});
export type RemoveFactorsRequest = z.infer<typeof removeFactorsRequestSchema>;
export const removeFactorsResponseSchema = z.object({ removed: z.int().min(0) });

/** Null if the user has no factor. */
export const recoveryCodesResponseSchema = z.object({ recoveryCodes: z.array(z.string()).nullable() });
