import { Captures } from './captures.ts';

const even = (number: number): boolean => number % 2 === 0;

test('each is returned once, in the order of their arrival', async () => {
  const captures = new Captures<number>('number');
  for (const number of [1, 2, 3, 4]) captures.add(number);
  expect(await captures.next(even)).toBe(2);
  expect(await captures.next()).toBe(1);
  expect(await captures.next(even)).toBe(4);
  expect(captures.list()).toEqual([1, 2, 3, 4]);
  expect(captures.list(even)).toEqual([2, 4]);
});

test('one that has not come is awaited, and is not returned again', async () => {
  const captures = new Captures<number>('number');
  const first = captures.next(even);
  const second = captures.next(even);
  for (const number of [1, 2, 3, 4, 6]) captures.add(number);
  expect(await Promise.all([first, second, captures.next(even)])).toEqual([2, 4, 6]);
});

test('one that does not come is an error with those that have', async () => {
  const captures = new Captures<number>('number');
  await expect(captures.next(even, 1)).rejects.toThrow('No number that matches came within 1 ms; captured: none');
  captures.add(7);
  await expect(captures.next(even, 1)).rejects.toThrow('7');
  captures.add(8);
  expect(await captures.next(even, 1)).toBe(8);
});

test('after clear there are none', async () => {
  const captures = new Captures<number>('number');
  captures.add(1);
  captures.clear();
  expect(captures.list()).toEqual([]);
  await expect(captures.next(undefined, 1)).rejects.toThrow('captured: none');
});
