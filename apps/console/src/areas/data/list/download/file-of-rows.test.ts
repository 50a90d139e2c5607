import type { Row } from '../row.ts';
import { fileOfRows, type RowFile, TooManyRowsError } from './file-of-rows.ts';

async function* rowsUpTo(count: number): AsyncGenerator<Row> {
  for (let id = 1; id <= count; id += 1) yield { id };
}

/** A file that notes what happens to it: the number of rows in each part. */
function notingFile(): RowFile & { readonly parts: number[] } {
  const parts: number[] = [];
  let rows = 0;
  return {
    parts,
    add: () => {
      rows += 1;
    },
    flush: () => {
      parts.push(rows);
      rows = 0;
    },
    finish: () => new Blob([`${parts.join('+')}, ${rows} lost`]),
  };
}

const never = new AbortController().signal;

test.each([
  [0, '0, 0 lost', [0]],
  [1, '1, 0 lost', [1]],
  [1_000, '1000+0, 0 lost', [1_000, 1_000]],
  [2_500, '1000+1000+500, 0 lost', [1_000, 2_000, 2_500]],
])('%i rows are put together in parts of a thousand, and none is lost', async (count, expected, expectedProgress) => {
  const progress: number[] = [];
  const made = await fileOfRows(rowsUpTo(count), notingFile(), {
    signal: never,
    onProgress: (rows) => progress.push(rows),
  });
  expect([await made?.text(), progress]).toEqual([expected, expectedProgress]);
});

test('as many rows as a file may have are no error, one more is, and nothing is made', async () => {
  const options = { signal: never, onProgress: () => undefined, maxRows: 3 };
  expect(await (await fileOfRows(rowsUpTo(3), notingFile(), options))?.text()).toBe('3, 0 lost');
  const file = notingFile();
  const failure = await fileOfRows(rowsUpTo(4), file, options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TooManyRowsError);
  expect([(failure as TooManyRowsError).maxRows, file.parts]).toEqual([3, []]);
});

test.each([
  ['before the first row', 0],
  ['after some rows', 2],
  ['after the last row', 5],
])('a download that is cancelled %s has no file', async (_when, cancelledAt) => {
  const controller = new AbortController();
  async function* rows(): AsyncGenerator<Row> {
    for (let id = 0; id < 5; id += 1) {
      if (id === cancelledAt) controller.abort();
      yield { id };
    }
    if (cancelledAt === 5) controller.abort();
  }
  const file = notingFile();
  expect(await fileOfRows(rows(), file, { signal: controller.signal, onProgress: () => undefined })).toBeUndefined();
  expect(file.parts).toEqual([]);
});

test('rows that cannot be read are the error of the download', async () => {
  async function* rows(): AsyncGenerator<Row> {
    yield { id: 1 };
    throw new Error('The connection is gone');
  }
  const reading = fileOfRows(rows(), notingFile(), { signal: never, onProgress: () => undefined });
  await expect(reading).rejects.toThrow('The connection is gone');
});
