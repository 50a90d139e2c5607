import { parseFileReference } from '@lintel/contracts';
import { cases, fc } from '@lintel/testkit/properties';
import { filePathFor, formatFileReference } from './file-reference.ts';

const fileName = fc.string({ unit: 'grapheme', maxLength: 60 });
const parameterKey = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,10}$/);
const reference = fc.record({
  storage: fc.constantFrom('fs', 's3', 'archive-2'),
  path: fc
    .tuple(fc.date({ min: new Date(2000, 0, 1), max: new Date(2100, 0, 1), noInvalidDate: true }), fc.uuid(), fileName)
    .map(([now, uuid, name]) => filePathFor(now, uuid, name)),
  name: fileName,
  parameters: fc.array(fc.tuple(parameterKey, fileName), { maxLength: 3 }),
});

// Asserts contract/files.md#reference.
test('a formatted reference reads back as the same reference', () => {
  fc.assert(
    fc.property(reference, (original) => {
      expect(parseFileReference(formatFileReference(original))).toEqual(original);
    }),
    cases(500),
  );
});

test('a parsed reference never throws, and what it accepts survives formatting and parsing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (text) => {
      const parsed = parseFileReference(text);
      if (parsed !== undefined) {
        expect(parseFileReference(formatFileReference(parsed))).toEqual(parsed);
      }
    }),
    cases(500),
  );
});
