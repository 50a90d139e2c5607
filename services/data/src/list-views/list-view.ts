import { isVisibleName } from '@lintel/security';
import { z } from 'zod';

/** Characters of JSON; filters of forms stay far below it. */
const MAX_CONTENT = 20_000;
const MAX_NAME = 100;

const noNul = (text: string): boolean => !text.includes('\0');
const text = (max: number) => z.string().min(1).max(max).refine(noNul, 'must not have a NUL character');

/** The body of a request that saves a view (contract/user.md#views). */
export const listViewSchema = z
  .strictObject({
    entityName: text(255),
    name: text(MAX_NAME).refine(isVisibleName, 'must not be blank or have invisible or direction characters'),
    content: z
      .record(z.string(), z.unknown())
      .transform((content) => JSON.stringify(content))
      .refine((json) => json.length <= MAX_CONTENT, `must not be longer than ${MAX_CONTENT} characters of JSON`),
    shared: z.boolean().default(false),
    role: text(255).nullable().default(null),
  })
  .refine(({ shared, role }) => shared || role === null, { path: ['role'], message: 'the view is not shared' });

/** A view as it is saved; the content is JSON that only the client reads. */
export type ListViewInput = z.output<typeof listViewSchema>;

/** A saved view of the list of an entity. */
export interface ListView extends ListViewInput {
  readonly id: string;
  readonly owner: string;
}
