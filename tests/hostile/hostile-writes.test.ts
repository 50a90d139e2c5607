import { WRITING_ATTACKS } from './src/attacks.ts';
import { testShortAttacks } from './src/test-attacks.ts';

describe('no write or document stops the service: one process', () => {
  testShortAttacks(WRITING_ATTACKS);
});
