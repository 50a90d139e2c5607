import { z } from 'zod';

/** Who does something, for security events. */
export const actorSchema = z.looseObject({
  /** Name of the user or client whose rights are used. */
  by: z.string(),
  /** The client, key or session that acts for the user. */
  byClientId: z.string().optional(),
  address: z.string().optional(),
});
