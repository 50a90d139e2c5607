import { lossesAmong } from './pending-data-losses.ts';

const step = (number: number, statement: string) => ({ name: `${number}-step`, up: [statement], down: [] });
const PLATFORM = [step(1, 'CREATE TABLE sys.a ()'), step(2, 'DROP TABLE sys.a')];
const APPLICATION = [step(3, 'DROP TABLE shop.a')];

test('pending migrations of the platform are asked about like migrations of the application', () => {
  const loss = (name: string, statement: string) => ({ name, statements: [statement] });
  expect(lossesAmong([PLATFORM, APPLICATION], new Set(['1-step']))).toEqual([loss('2-step', 'DROP TABLE sys.a')]);
  expect(lossesAmong([PLATFORM, [...APPLICATION, step(4, 'TRUNCATE shop.b')]], new Set(['1-step', '3-step']))).toEqual([
    loss('2-step', 'DROP TABLE sys.a'),
    loss('4-step', 'TRUNCATE shop.b'),
  ]);
});

test('an owner of whose migrations none has run has no data to lose', () => {
  expect(lossesAmong([PLATFORM, APPLICATION], new Set())).toEqual([]);
  expect(lossesAmong([PLATFORM, APPLICATION], new Set(['1-step', '2-step']))).toEqual([]);
});
