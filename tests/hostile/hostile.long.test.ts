import { WANTED_ATTACKS } from './src/attacks.ts';
import { testAttacks } from './src/test-attacks.ts';

const SINGLE = WANTED_ATTACKS.filter(({ isGroup }) => isGroup !== true);

describe('no request stops the service: one process, all attacks, exact times', () => {
  testAttacks('one process', SINGLE, 1);
});

describe('no request stops the service: five processes, all attacks, exact times', () => {
  testAttacks('five processes', SINGLE, 1);
});
