import { listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';

const MOMENT: Schema = { type: 'string', format: 'date-time' };

/** The schemas of API keys. */
export const API_KEY_SCHEMAS: Readonly<Record<string, Schema>> = {
  ApiKey: objectOf({
    id: STRING,
    name: STRING,
    hint: { type: 'string', description: 'The beginning of the key' },
    resourceRoles: listOf(STRING),
    createdAt: MOMENT,
    expiresAt: MOMENT,
    lastUsedAt: { type: ['string', 'null'], format: 'date-time', description: 'Accurate to a minute' },
  }),
  ApiKeyToCreate: objectOf(
    {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      resourceRoles: { ...listOf(STRING), description: 'Of those that the caller has' },
      expiresAt: { ...MOMENT, description: 'At most `svc.auth.api-keys.max-time-to-live` from now, the default' },
    },
    ['name'],
  ),
  CreatedApiKey: { allOf: [ref('ApiKey'), objectOf({ key: STRING })] },
};
