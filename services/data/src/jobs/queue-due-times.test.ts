import { job } from '@lintel/application';
import { dueTimesOf } from './queue-due-times.ts';

const timesOf = (schedule: string, from: string, to: string): readonly string[] =>
  dueTimesOf(
    job('a', { as: 'x', schedule, timeZone: 'Europe/Berlin', missed: 'all' }, () => {}),
    new Date(from),
    new Date(to),
  ).map((time) => time.toISOString());

// Asserts contract/jobs.md#schedules.
test.each([
  ['30 2 * * *', '2026-03-28T00:00:00Z', '2026-03-30T12:00:00Z', ['28T01:30', '29T01:30', '30T00:30'], '2026-03-'],
  ['30 2 * * *', '2026-10-24T00:00:00Z', '2026-10-26T12:00:00Z', ['24T00:30', '25T00:30', '26T01:30'], '2026-10-'],
  [
    '0 * * * *',
    '2026-03-29T00:00:00Z',
    '2026-03-29T03:00:00Z',
    ['01', '02', '03'].map((at) => `${at}:00`),
    '2026-03-29T',
  ],
])('the times of %s after %s to %s are each there once', (schedule, from, to, times, prefix) => {
  expect(timesOf(schedule, from, to)).toEqual(times.map((time) => `${prefix}${time}:00.000Z`));
});

test('a time at the end belongs to the period, and one at its beginning to the one before', () => {
  expect(timesOf('0 12 * * *', '2026-01-10T11:00:00Z', '2026-01-11T11:00:00Z')).toEqual(['2026-01-11T11:00:00.000Z']);
});
