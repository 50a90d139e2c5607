import { cases, fc, SEED, seeds } from './properties.ts';

test('what fast-check chooses begins with the seed, for samples and for properties alike', () => {
  const chosen: number[] = [];
  fc.assert(
    fc.property(fc.nat(), (one) => {
      chosen.push(one);
    }),
    { numRuns: 20 },
  );
  expect(fc.sample(fc.nat(), { numRuns: 20, seed: SEED })).toEqual(chosen);
  expect(fc.sample(fc.nat(), 20)).toEqual(chosen);
  expect(fc.sample(fc.nat(), { numRuns: 20, seed: SEED + 1 })).not.toEqual(chosen);
});

test('seeds follow each other', () => {
  expect(seeds(3)).toEqual([SEED, SEED + 1, SEED + 2]);
});

describe('the number of cases', () => {
  const given = process.env['LINTEL_PROPERTY_RUNS'];
  afterEach(() => {
    delete process.env['LINTEL_PROPERTY_RUNS'];
    if (given !== undefined) process.env['LINTEL_PROPERTY_RUNS'] = given;
  });

  test('is the usual one of the property, or the one that is asked for', () => {
    delete process.env['LINTEL_PROPERTY_RUNS'];
    expect(cases(50)).toEqual({ numRuns: 50 });
    process.env['LINTEL_PROPERTY_RUNS'] = '7';
    expect(cases(50)).toEqual({ numRuns: 7 });
  });

  test.each(['many', '1e3', '-1', '0.5'])('cannot be %j', (text) => {
    process.env['LINTEL_PROPERTY_RUNS'] = text;
    expect(() => cases(50)).toThrow(`LINTEL_PROPERTY_RUNS must be a whole number, and is "${text}"`);
  });
});
