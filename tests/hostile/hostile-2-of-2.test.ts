import { testHalf } from './src/test-attacks.ts';

testHalf(2);
