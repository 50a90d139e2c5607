import { cases, fc } from '@lintel/testkit/properties';
import { strToU8, zipSync } from 'fflate';
import { ArchiveError, readArchive, writeArchive } from './report-archive.ts';

const NAME = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((name) => name.toWellFormed());
const TEMPLATE = fc.record({
  code: NAME,
  reportOutputType: fc.constantFrom('CSV', 'PDF', 'XLSX'),
  isDefault: fc.boolean(),
  name: NAME,
  outputNamePattern: fc.option(NAME),
  bytes: fc.uint8Array({ maxLength: 50 }),
});
const ARCHIVE = fc.record({
  name: NAME,
  code: fc.option(NAME),
  description: fc.option(NAME),
  localeNames: fc.option(NAME),
  restAccess: fc.boolean(),
  definition: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }).map((value) => JSON.stringify(value)),
  group: fc.option(NAME),
  templates: fc.array(TEMPLATE, { maxLength: 4 }),
});

test('a report with any names and files is the same after an export and an import', () => {
  fc.assert(
    fc.property(ARCHIVE, (archive) => {
      const { definition, templates, ...report } = readArchive(writeArchive(archive));
      expect(JSON.parse(definition)).toEqual(JSON.parse(archive.definition));
      expect({ ...report, templates }).toEqual({ ...archive, definition: undefined });
    }),
    cases(60),
  );
});

const DESCRIPTION = fc.record({
  format: fc.constantFrom(1, 2),
  report: fc.oneof(fc.jsonValue(), fc.record({ name: fc.string(), definition: fc.jsonValue() })),
  templates: fc.oneof(
    fc.jsonValue(),
    fc.array(
      fc.oneof(fc.jsonValue(), fc.record({ file: fc.constantFrom('a', 'toString', '__proto__', 'constructor') })),
    ),
  ),
});

test('any other file is refused with what is wrong with it', () => {
  fc.assert(
    fc.property(DESCRIPTION, (description) => {
      try {
        const { templates } = readArchive(zipSync({ 'report.json': strToU8(JSON.stringify(description)) }));
        expect(templates.every(({ bytes }) => bytes instanceof Uint8Array)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ArchiveError);
      }
    }),
    cases(300),
  );
});
