import { z } from 'zod';
import { isVisibleName } from '../../plain-text.ts';
import { BOOLEAN, objectOf, type Schema, STRING } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';
import { textUpTo } from './texts.ts';

/** Characters of JSON; filters of forms stay far below it. */
const MAX_CONTENT = 20_000;

/** The body of a request that saves a view (contract/user.md#views). */
export const listViewBody = z
  .strictObject({
    entityName: textUpTo(255).min(1),
    name: textUpTo(100).min(1).refine(isVisibleName, 'must not be blank or have invisible or direction characters'),
    content: z
      .record(z.string(), z.unknown())
      .describe('What the list shows, as the client has it; at most 20,000 characters of JSON')
      .transform((content) => JSON.stringify(content))
      .refine((json) => json.length <= MAX_CONTENT, `must not be longer than ${MAX_CONTENT} characters of JSON`),
    shared: z.boolean().default(false).describe('Others see it: needs `views.share`'),
    role: textUpTo(255)
      .min(1)
      .nullable()
      .default(null)
      .describe('Only users with this resource role see it; null: all'),
  })
  .refine(({ shared, role }) => shared || role === null, { path: ['role'], message: 'the view is not shared' });

/** The schemas of saved views. */
export function listViewSchemas(): Readonly<Record<string, Schema>> {
  const { ListViewInput } = schemasOf({ ListViewInput: listViewBody });
  return {
    ListView: objectOf({
      id: { type: 'string', format: 'uuid' },
      ...(ListViewInput['properties'] as Readonly<Record<string, Schema>>),
      owner: { ...STRING, description: 'Name of the user' },
      isOwn: { ...BOOLEAN, description: 'Whether it is a view of the caller' },
    }),
    ListViewInput,
  };
}
