import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lossesOf } from './compare-documents.ts';
import { type ForeignDocument, fetchDocuments, run } from './fetch-documents.ts';
import { renderForeign, templateOf } from './render-foreign.ts';

// Needs Java 17 with Maven, Python 3 with venv, Go and Cargo; packages come from their registries.

const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
const CLASS_PATH = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
const READERS = ['openpyxl==3.1.5', 'python-docx==1.2.0'];
const TIMEOUT_MS = 1_800_000;

/** Why documents are no templates, and how many of them. */
const REFUSED: readonly (readonly [message: RegExp, documents: number])[] = [
  [/^the file is encrypted by a password, or has the format of Office before 2007/, 10],
  [/^the file is a strict document/, 2],
  [/^the file is no zip archive that can be read/, 2],
  [/^the file has no part /, 4],
  [/^the workbook has no sheet$/, 1],
  [/ has more than \d+ (?:bytes|characters|elements)$/, 11],
  [/^the file unpacks to more than it may/, 2],
  [/ is not valid UTF-8$/, 1],
  // The row in the middle of a sheet that reaches to the last one has two more copies.
  [/ would have more than the 1048576 rows that a sheet can hold/, 1],
];

/** Formats of cells that belong to no band, because they reach to rows without cells. */
const OUTSIDE = [/conditionalFormatting sqref=(?:C1:C57387|DG1:DG1048576)$/];

let folder: string;
let documents: readonly ForeignDocument[];
const python = (): string => join(folder, 'venv', 'bin', 'python');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lintel-corpus-'));
  documents = await fetchDocuments(join(folder, 'packages'));
  await run(folder, 'python3', '-m', 'venv', 'venv');
  await run(folder, python(), '-m', 'pip', 'install', '-q', ...READERS);
  await run(folder, 'mvn', '-q', '-f', join(PROGRAMS, 'pom.xml'), CLASS_PATH, `-Dmdep.outputFile=${folder}/classes`);
  await run(folder, 'sh', '-c', `javac -d . -cp "$(cat classes)" "${PROGRAMS}Readers.java"`);
}, TIMEOUT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('there are more than three hundred documents', () => expect(documents.length).toBeGreaterThan(330));

describe.each([
  ['as they are', false],
  ['with copies of a row in the middle', true],
] as const)('documents of others %s', (_title, hasCopies) => {
  const refused: string[] = [];
  const losses: string[] = [];
  const target = (kind: string): string => join(folder, String(hasCopies), kind);

  test(
    'lose nothing, or are refused with the reason',
    async () => {
      await Promise.all(['template', 'produced'].map((kind) => mkdir(target(kind), { recursive: true })));
      for (const [index, { from, path, kind, bytes }] of documents.entries()) {
        const name = `${index}.${kind}`;
        try {
          const template = await templateOf(bytes, kind, hasCopies);
          const produced = await renderForeign(template, kind);
          await writeFile(join(target('template'), name), template.bytes);
          await writeFile(join(target('produced'), name), produced);
          if (hasCopies) continue;
          losses.push(...(await lossesOf(template.bytes, produced)).map((loss) => `${from} ${path} ${loss}`));
        } catch (error) {
          refused.push((error as Error).message);
        }
      }
      const counts = REFUSED.map(([message]) => refused.filter((one) => message.test(one)).length);
      expect(counts).toEqual(
        REFUSED.map(([, count], index) => (index === REFUSED.length - 1 && !hasCopies ? 0 : count)),
      );
      expect(refused.filter((one) => !REFUSED.some(([message]) => message.test(one)))).toEqual([]);
      expect(losses.filter((loss) => !OUTSIDE.some((known) => known.test(loss)))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'are read by POI, openpyxl and python-docx, and have no error of the schemas that the template does not have',
    async () => {
      const read = async (kind: string): Promise<ReadonlySet<string>> => {
        const java = ['-Dlog4j2.StatusLogger.level=OFF', '-cp', `${await classes()}:.`, 'Readers', target(kind)];
        const outputs = [
          await run(folder, 'java', ...java),
          await run(folder, python(), `${PROGRAMS}readers.py`, target(kind)),
        ];
        const lines = outputs.flatMap((output) => output.trim().split('\n'));
        expect(Number(lines.find((line) => line.startsWith('parts\t'))?.slice(6))).toBeGreaterThan(3_300);
        return new Set(lines.filter((line) => line !== '' && !line.startsWith('parts\t')));
      };
      const before = await read('template');
      expect([...(await read('produced'))].filter((error) => !before.has(error))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

const classes = (): Promise<string> => run(folder, 'cat', 'classes').then((text) => text.trim());
