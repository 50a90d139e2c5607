import { z } from 'zod';
import { listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';
import { visibleName } from './texts.ts';

const MOMENT: Schema = { type: 'string', format: 'date-time' };

export const apiKeyBody = z.strictObject({
  name: visibleName(100),
  resourceRoles: z.array(z.string().min(1).max(255)).max(100).optional().describe('Of those that the caller has'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('At most `svc.auth.api-keys.max-time-to-live` from now, the default'),
});

/** The schemas of API keys. */
export const apiKeySchemas = (): Readonly<Record<string, Schema>> => ({
  ApiKey: objectOf({
    id: STRING,
    name: STRING,
    hint: { type: 'string', description: 'The beginning of the key' },
    resourceRoles: listOf(STRING),
    createdAt: MOMENT,
    expiresAt: MOMENT,
    lastUsedAt: { type: ['string', 'null'], format: 'date-time', description: 'Accurate to a minute' },
  }),
  ...schemasOf({ ApiKeyToCreate: apiKeyBody }),
  CreatedApiKey: { allOf: [ref('ApiKey'), objectOf({ key: STRING })] },
});
