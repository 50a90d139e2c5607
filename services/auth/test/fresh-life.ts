/**
 * The seconds that an answer gives a token which was just issued for `seconds`: one less, or some more on a machine
 * that was busy between the two.
 */
export const freshLife = (seconds: number): unknown => expect.closeTo(seconds - 5.5, -1);
