import { z } from 'zod';

/** A report when it was saved: `report.version_content` of the database. */
export const reportContentSchema = z.object({
  name: z.string(),
  code: z.string().nullable(),
  localeNames: z.string().nullable(),
  description: z.string().nullable(),
  group: z.string().nullable(),
  restAccess: z.boolean(),
  definition: z.string(),
  templates: z.array(
    z.object({
      code: z.string(),
      reportOutputType: z.number(),
      isDefault: z.boolean(),
      name: z.string(),
      content: z.string(),
      outputNamePattern: z.string().nullable(),
    }),
  ),
});
