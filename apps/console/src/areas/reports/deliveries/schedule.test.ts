import { cronOf, scheduleOf, weekdayOf } from './schedule.ts';

test.each([
  ['30 6 * * *', { kind: 'daily', time: '06:30' }],
  ['0 14 * * 1-5', { kind: 'workdays', time: '14:00' }],
  ['5 0 * * 0', { kind: 'weekly', time: '00:05', day: 0 }],
  ['0 7 28 * *', { kind: 'monthly', time: '07:00', day: 28 }],
  ['0 7 31 * *', { kind: 'other' }],
  ['0 7 1 * 1', { kind: 'other' }],
  ['0 7 * 1 *', { kind: 'other' }],
  ['0 7,9 * * *', { kind: 'other' }],
  ['daily', { kind: 'other' }],
])('%s is a schedule in words, or another one, and stays the same', (cron, schedule) => {
  expect(scheduleOf(cron)).toMatchObject(schedule);
  expect(cronOf(scheduleOf(cron))).toBe(cron);
});

test('days of the week have names', () => {
  expect([0, 1, 6].map((day) => weekdayOf(day, 'en'))).toEqual(['Sunday', 'Monday', 'Saturday']);
});
