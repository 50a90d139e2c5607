import { z } from 'zod';
import { isVisibleName } from '../../plain-text.ts';
import { BOOLEAN, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';
import { textUpTo } from './texts.ts';

/** Characters of JSON; filters of forms stay far below it. */
const MAX_CONTENT = 20_000;

const json = z.record(z.string(), z.unknown());
const names = z.string().min(1).max(1_000);
const toText = (value: object): string => JSON.stringify(value);
const isShort = (text: string): boolean => text.length <= MAX_CONTENT;
const TOO_LONG = `must not be longer than ${MAX_CONTENT} characters of JSON`;

/** Groups and aggregates that a view asks for, and how they are drawn (contract/user.md#questions). */
const questionBody = z.strictObject({
  groupBy: z.array(z.unknown()).optional(),
  aggregates: json.optional(),
  filter: json.optional(),
  q: textUpTo(200).optional().describe('Words that searchable attributes have'),
  having: json.optional(),
  sort: names.optional().describe('Names of the response with commas; `-` sorts descending'),
  limit: z.int().min(1).optional(),
  chart: z
    .strictObject({
      kind: z.enum(['bar', 'line', 'pie', 'number']),
      x: names.optional().describe('A name of `groupBy`; the first one without it'),
      y: names.optional().describe('A name of `aggregates`; the first one without it'),
    })
    .optional(),
});

/** How a question is drawn. */
export type QuestionChart = NonNullable<z.output<typeof questionBody>['chart']>;

/** The body of a request that saves a view (contract/user.md#views). */
export const listViewBody = z
  .strictObject({
    entityName: textUpTo(255).min(1),
    name: textUpTo(100).min(1).refine(isVisibleName, 'must not be blank or have invisible or direction characters'),
    content: json
      .describe('What the list shows, as the client has it; at most 20,000 characters of JSON')
      .transform(toText)
      .refine(isShort, TOO_LONG),
    question: questionBody.transform(toText).refine(isShort, TOO_LONG).optional(),
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
  const { ListViewInput, Question } = schemasOf({ ListViewInput: listViewBody, Question: questionBody });
  const members = ListViewInput['properties'] as Readonly<Record<string, Schema>>;
  const [filter, groupBy, aggregates] = [ref('Filter'), ref('GroupBy'), ref('Aggregates')];
  return {
    ListView: objectOf(
      {
        id: { type: 'string', format: 'uuid' },
        ...members,
        owner: { ...STRING, description: 'Name of the user' },
        isOwn: { ...BOOLEAN, description: 'Whether it is a view of the caller' },
      },
      ['id', ...Object.keys(members).filter((name) => name !== 'question'), 'owner', 'isOwn'],
    ),
    ListViewInput,
    Question: {
      ...Question,
      properties: { ...(Question['properties'] as Schema), groupBy, aggregates, filter, having: filter },
    },
  };
}
