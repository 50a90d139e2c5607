import { WANTED_ATTACKS } from './src/attacks.ts';
import { testAttacks } from './src/test-attacks.ts';

/** Other tests and other programs run at the same time: only `LINTEL_HOSTILE_STRICT=true` asks for the exact times. */
const TIME_FACTOR = process.env['LINTEL_HOSTILE_STRICT'] === 'true' ? 1 : 4;

describe('no request stops the service: one process', () => {
  testAttacks(
    'one process',
    WANTED_ATTACKS.filter(({ isLong }) => isLong !== true),
    TIME_FACTOR,
  );
});
