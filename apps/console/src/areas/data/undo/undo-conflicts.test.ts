import { RestError } from '@lintel/client';
import { undoConflicts } from './undo-conflicts.ts';

const captions = { 'app_Order.number': 'Number', 'app_Order.lines': 'Lines' };
const refusal = (details: string) =>
  new RestError({
    ...{ status: 409, code: 'DATA_UNDO_CONFLICT', error: 'Conflict', details },
    ...{ body: {}, traceId: undefined, retryAfterMs: undefined },
  });

test('the instances of a refused undo have the captions of what has changed since', () => {
  const details = 'Changed since: app_Order "a; b: c": number, lines[x].quantity; app_Line 7: deleted';
  expect(undoConflicts({ captions }, refusal(details))).toEqual([
    { entity: 'app_Order', id: 'a; b: c', parts: ['Number', 'Lines'] },
    { entity: 'app_Line', id: '7', parts: ['deleted'] },
  ]);
});

test('other errors have no conflicts', () => {
  expect(undoConflicts({ captions }, refusal('The change has written rows that belong to no known instance'))).toEqual(
    [],
  );
  expect(undoConflicts({ captions }, new Error('x'))).toEqual([]);
});
