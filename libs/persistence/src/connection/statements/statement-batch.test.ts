import { StatementBatch } from './statement-batch.ts';

const INT4 = 23;

/** A connection of the driver that records the messages of each write. */
function fakeWire() {
  const writes: string[] = [];
  return {
    writes,
    parsedStatements: {} as Record<string, string | undefined>,
    submittedNamedStatements: {} as Record<string, string | undefined>,
    stream: {
      writable: true,
      write(bytes: Buffer): boolean {
        let kinds = '';
        for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1))
          kinds += String.fromCharCode(bytes[at] ?? 0);
        writes.push(kinds);
        return true;
      },
    },
  };
}

const one = { name: 'one', text: 'SELECT $1::int AS n', values: [1] };
const insert = { name: 'insert', text: 'INSERT INTO t VALUES ($1)', values: ['x'] };

/** Calls the handlers of the batch as the driver does for the results of the two statements above. */
function result(wire: ReturnType<typeof fakeWire>, batch: StatementBatch, isDescribed: boolean): void {
  for (const { name, text } of [one, insert]) {
    wire.parsedStatements[name] = text;
    delete wire.submittedNamedStatements[name];
    if (name === 'one') {
      if (isDescribed) batch.handleRowDescription({ fields: [{ name: 'n', dataTypeID: INT4 }] });
      batch.handleDataRow({ fields: ['1'] });
    }
    batch.handleCommandComplete({ text: name === 'one' ? 'SELECT 1' : 'INSERT 0 1' }, wire);
  }
  batch.handleReadyForQuery();
}

test('statements leave in one write with one Sync, and known ones are neither parsed nor described again', () => {
  const wire = fakeWire();
  const outcomes: unknown[] = [];
  const run = (isDescribed: boolean): StatementBatch => {
    const batch = new StatementBatch([one, insert], (error) => outcomes.push(error));
    batch.submit(wire);
    result(wire, batch, isDescribed);
    return batch;
  };
  const [first, second] = [run(true), run(false)];
  // Parse, Bind, Describe, Execute; Sync.
  expect(wire.writes).toEqual(['PBDEPBDES', 'BEBES']);
  expect(outcomes).toEqual([undefined, undefined]);
  const results = [
    { rows: [{ n: 1 }], command: 'SELECT 1', error: undefined },
    { rows: [], command: 'INSERT 0 1', error: undefined },
  ];
  expect([first.results, second.results]).toEqual([results, results]);
});

test('after a value that cannot be sent nothing more is sent, and the batch ends with that error', () => {
  const wire = fakeWire();
  const outcomes: (Error | undefined)[] = [];
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const wrong = { text: 'SELECT $1', values: [circular] };
  const batch = new StatementBatch([one, wrong, insert], (error) => outcomes.push(error));
  batch.submit(wire);
  expect(wire.writes).toEqual(['PBDES']);
  batch.handleRowDescription({ fields: [{ name: 'n', dataTypeID: INT4 }] });
  batch.handleDataRow({ fields: ['1'] });
  batch.handleCommandComplete({ text: 'SELECT 1' }, wire);
  batch.handleReadyForQuery();
  expect(batch.results).toHaveLength(1);
  expect(outcomes).toEqual([expect.objectContaining({ message: expect.stringContaining('circular') })]);
});

test('statements after one that failed do not count as prepared', () => {
  const wire = fakeWire();
  const batch = new StatementBatch([one, insert], () => {});
  batch.submit(wire);
  expect(Object.keys(wire.submittedNamedStatements)).toEqual(['one', 'insert']);
  batch.handleError(new Error('no'), wire);
  expect(wire.submittedNamedStatements).toEqual({});
});

test('columns of any name are members of their row', () => {
  const wire = fakeWire();
  const batch = new StatementBatch([{ text: 'SELECT', values: [] }], () => {});
  batch.submit(wire);
  batch.handleRowDescription({ fields: [{ name: '__proto__', dataTypeID: INT4 }] });
  batch.handleDataRow({ fields: ['7'] });
  batch.handleCommandComplete({ text: 'SELECT 1' }, wire);
  expect(Object.entries(batch.results[0]?.rows[0] ?? {})).toEqual([['__proto__', 7]]);
});
