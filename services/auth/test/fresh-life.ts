/**
 * The remaining seconds in the response for a new token with a lifetime of `seconds`: one less, or a few less on a busy
 * machine.
 */
export const freshLife = (seconds: number): unknown => expect.closeTo(seconds - 5.5, -1);
