import { joinPath } from '@lintel/react';
import { messagesInside } from './messages-inside.ts';

const messages = new Map([
  ['lines', 'too few'],
  ['lines/1/quantity', 'too many'],
  ['lines/10/quantity', 'negative'],
  ['linesOfOthers', 'unknown'],
  [joinPath('lines', 'a/b'), 'strange'],
]);

test('a value has its own messages and the messages of its members, and no others', () => {
  expect(messagesInside(messages, 'lines')).toEqual(['too few', 'too many', 'negative', 'strange']);
  expect(messagesInside(messages, 'lines/1')).toEqual(['too many']);
  expect(messagesInside(messages, joinPath('lines', 'a'))).toEqual([]);
  expect(messagesInside(messages, joinPath('lines', 'a/b'))).toEqual(['strange']);
  expect(messagesInside(messages, 'number')).toEqual([]);
});
