/**
 * The remaining seconds in the response for a new token with a lifetime of `seconds`, at least 100: one less, or up to a
 * minute less where the machine stands still.
 */
export const freshLife = (seconds: number): unknown => expect.closeTo(seconds - 50, -2);
