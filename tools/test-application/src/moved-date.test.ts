import { type MovedDate, replaceDate } from './moved-date.ts';

const DAY_MS = 86_400_000;
const RealDate = Date;

let date: MovedDate;
beforeEach(() => {
  date = replaceDate();
});
afterEach(() => date.end());

test('the present moves, and given times do not', () => {
  const before = Date.now();
  date.move(2 * DAY_MS);
  expect(Date.now() - before).toBeGreaterThanOrEqual(2 * DAY_MS);
  // biome-ignore lint/complexity/useDateNow: the constructor is what is tested
  expect(new Date().getTime() - before).toBeGreaterThanOrEqual(2 * DAY_MS);
  expect(new RealDate(Date()).getTime() - before).toBeGreaterThan(DAY_MS);
  expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
  expect(new Date(2026, 0, 31).getDate()).toBe(31);
  expect(Date.UTC(2026, 0, 31)).toBe(RealDate.UTC(2026, 0, 31));
  expect(date.movedMs()).toBe(2 * DAY_MS);
});

test('dates are dates, as are those of classes that extend it', () => {
  class Deadline extends Date {}
  expect(new Date()).toBeInstanceOf(Date);
  expect(new Date()).toBeInstanceOf(RealDate);
  expect(new RealDate()).toBeInstanceOf(Date);
  date.move(DAY_MS);
  expect(new Deadline()).toBeInstanceOf(Deadline);
  expect(new Deadline().getTime()).toBeGreaterThan(RealDate.now() + DAY_MS / 2);
});

test('the end gives the real date back', () => {
  date.move(DAY_MS);
  date.end();
  expect(Date).toBe(RealDate);
  expect(date.movedMs()).toBe(0);
});
