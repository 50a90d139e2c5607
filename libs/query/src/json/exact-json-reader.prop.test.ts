import { cases, fc } from '@lintel/testkit/properties';
import { readExactJson } from './exact-json.ts';
import { ExactJsonReader } from './exact-json-reader.ts';

function readBy(text: string, tokens: number) {
  const reader = new ExactJsonReader(text, 200);
  while (!reader.read(tokens));
  return reader.value;
}

test('values are those that the engine reads, in steps of any size', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5 }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom(0, 1, 2),
      (text, tokens, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space);
        expect(readBy(spaced, tokens)).toEqual(readExactJson(spaced));
      },
    ),
    cases(1_000),
  );
});

test('what the engine refuses is refused', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', ']', '}', '\\', '0', ' '), (text, at, instead) => {
      const spoilt = text.slice(0, at % text.length) + instead + text.slice((at % text.length) + 1);
      const outcome = (read: () => unknown): unknown => {
        try {
          return read();
        } catch (error) {
          return (error as Error).name;
        }
      };
      expect(outcome(() => readBy(spoilt, 5))).toEqual(outcome(() => readExactJson(spoilt)));
    }),
    cases(1_000),
  );
});
