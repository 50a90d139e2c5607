import { changeText, compareObjects } from './compare-objects.ts';
import { formatObjects, parseObjects } from './objects-file.ts';

const object = (kind: string, table: string, name: string, definition: string) => ({
  object: kind,
  table,
  name,
  definition,
});
const BEFORE = [
  object('table', 'public.order', '', 'table'),
  object('column', 'public.order', 'total', 'smallint'),
  object('column', 'public.order', 'note', 'text'),
  object('table', 'public.old', '', 'table'),
  object('column', 'public.old', 'id', 'integer NOT NULL'),
];
const AFTER = [
  object('table', 'public.order', '', 'table'),
  object('column', 'public.order', 'total', 'integer'),
  object('column', 'public.order', 'paid', 'boolean'),
  object('table', 'public.tag', '', 'view'),
  object('column', 'public.tag', 'id', 'integer'),
];

test('changes are new, removed or changed; of a whole table it is only the table', () => {
  expect(compareObjects(BEFORE, AFTER).map(changeText)).toEqual([
    'changed column public.order.total: integer, was smallint',
    'removed column public.order.note: text',
    'removed table public.old: table',
    'new     column public.order.paid: boolean',
    'new     table public.tag: view',
  ]);
  expect(compareObjects(AFTER, AFTER)).toEqual([]);
});

test('the file is read as it was written', () => {
  expect(parseObjects(formatObjects(BEFORE))).toEqual(BEFORE);
  expect(compareObjects(parseObjects(formatObjects(BEFORE).replaceAll('\n', '\r\n')), BEFORE)).toEqual([]);
});
