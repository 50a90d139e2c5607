import fc from 'fast-check';

/** The seed of every run unless another one is given: a change of the code, not chance, makes a test fail. */
const USUAL_SEED = 20_261_121;

/**
 * Where everything begins that tests choose at random: `LINTEL_PROPERTY_SEED`, or the same in every run.
 * `npm run test:long` takes another one each time, and prints it.
 */
export const SEED = wholeNumber('LINTEL_PROPERTY_SEED') ?? USUAL_SEED;

fc.configureGlobal({ seed: SEED });

export type { Arbitrary, GeneratorValue } from 'fast-check';
/** fast-check, which begins with {@link SEED}. Nothing else imports it (rule `one-importer-per-driver`). */
export { fc };

/**
 * How many cases a property is tried with, for `fc.assert` and `fc.sample`: `usual`, unless
 * `LINTEL_PROPERTY_RUNS` says otherwise for all.
 */
export const cases = (usual: number): { readonly numRuns: number } => ({
  numRuns: wholeNumber('LINTEL_PROPERTY_RUNS') ?? usual,
});

/** As many seeds, the first of them {@link SEED}: a test that makes one big case of each names the seed that failed. */
export const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => SEED + at);

/** @throws Error when the variable is set to anything but a whole number */
function wholeNumber(variable: string): number | undefined {
  const text = process.env[variable];
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${variable} must be a whole number, and is "${text}"`);
  return Number(text);
}
