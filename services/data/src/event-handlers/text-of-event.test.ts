import { textOfEvent } from './text-of-event.ts';

const event = {
  ...{ specversion: '1.0' as const, id: '1', source: '/sales', type: 'sales.placed.v1', subject: 's' },
  ...{ time: '2026-11-30T08:00:00Z', datacontenttype: 'application/json' as const, data: {} as unknown },
};

test('an event within the limits has a text', () => {
  const longest = { ...event, id: 'x'.repeat(255), source: 'x'.repeat(255), subject: 'x'.repeat(1_000) };
  expect(JSON.parse(textOfEvent(longest))).toEqual(longest);
});

test('texts that look like an escape are no escape', () => {
  const escaped = { ...event, data: ['\\u0000', '\\\\ud83d', '\u{1f600}'] };
  expect(JSON.parse(textOfEvent(escaped))).toEqual(escaped);
});

// Asserts contract/events.md#other-applications.
test.each([
  ['no id', { id: '' }],
  ['a long id', { id: 'x'.repeat(256) }],
  ['no source', { source: '' }],
  ['a long source', { source: 'x'.repeat(256) }],
  ['a long subject', { subject: 'x'.repeat(1_001) }],
  ['long data', { data: 'x'.repeat(300 * 1024) }],
  ['NUL within a text', { data: { text: 'a\0' } }],
  ['half of a surrogate pair', { data: ['\ud83d'] }],
  ['a member whose name has NUL', { data: { 'a\0': 1 } }],
  ['deep data', { data: JSON.parse(`${'['.repeat(140_000)}${']'.repeat(140_000)}`) }],
])('an event with %s is refused for good', (_what, members) => {
  expect(() => textOfEvent({ ...event, ...members })).toThrow(
    expect.objectContaining({ code: 'REQ_BODY_TOO_LARGE', retryable: false }),
  );
});
