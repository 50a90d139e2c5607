import { z } from 'zod';

const username = z.string().min(1).max(255);

/** Requires that a user chooses a new password before the next login with it. */
export const requirePasswordChangeRequestSchema = z.object({
  username,
  /** The administrator, for the log of security events. */
  by: username,
  /** Sends the user a link by mail with which to choose it. */
  mail: z.boolean().optional(),
});
