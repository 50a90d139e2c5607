import { nextTimeOf } from './next-time.ts';

const nextOf = (schedule: string, timeZone: string | undefined, from: string): string | undefined =>
  nextTimeOf(
    { name: 'a', options: { as: 'x', schedule, ...(timeZone && { timeZone }) } },
    new Date(from),
  )?.toISOString();

// Asserts contract/jobs.md#schedules.
test.each([
  ['a time of a zone', '30 2 * * *', 'Europe/Berlin', '2026-01-10T12:00:00Z', '2026-01-11T01:30:00.000Z'],
  ['summer time', '30 2 * * *', 'Europe/Berlin', '2026-07-10T12:00:00Z', '2026-07-11T00:30:00.000Z'],
  ['a time that does not exist', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['the day after it', '30 2 * * *', 'Europe/Berlin', '2026-03-29T02:00:00Z', '2026-03-30T00:30:00.000Z'],
  ['a time that is repeated', '30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['no repetition', '30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  ['UTC without a zone', '30 2 * * *', undefined, '2026-07-10T12:00:00Z', '2026-07-11T02:30:00.000Z'],
])('%s is due when clocks of its place show it', (_what, schedule, timeZone, from, expected) => {
  expect(nextOf(schedule, timeZone, from)).toBe(expected);
});

test('a schedule that cannot be read is refused with the name of its job', () => {
  expect(() => nextOf('61 2 * * *', 'UTC', '2026-01-01T00:00:00Z')).toThrow(/^Job a: schedule: /);
});
