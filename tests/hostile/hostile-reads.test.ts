import { READING_ATTACKS } from './src/attacks.ts';
import { testShortAttacks } from './src/test-attacks.ts';

describe('no other request stops the service: one process', () => {
  testShortAttacks(READING_ATTACKS);
});
