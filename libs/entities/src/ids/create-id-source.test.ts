import { randomBytes } from 'node:crypto';
import { createIdSource } from './create-id-source.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are UUIDs of version 7 that rise, also within one millisecond and when the clock goes back', () => {
  let nowMs = 1_795_238_450_073;
  const ids = createIdSource({ now: () => nowMs }, randomBytes);
  const made: string[] = [];
  for (let round = 0; round < 10_000; round += 1) {
    if (round === 7_000) nowMs -= 5_000;
    if (round === 9_000) nowMs += 60_000;
    made.push(ids.next());
  }
  for (const id of made) expect(id).toMatch(UUID_V7);
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('an id contains the millisecond in which it was made', () => {
  const ids = createIdSource({ now: () => 0x0123_4567_89ab }, randomBytes);
  expect(ids.next().slice(0, 13)).toBe('01234567-89ab');
});
