import { fc } from '@lintel/testkit/properties';
import { applyOperation, deepClone } from 'fast-json-patch';
import type { DataFixture } from '../../data-fixture.ts';
import { type BoxDocument, complete, readDocument } from './document.ts';
import { type Generated, OperationGenerator, type Others, valueAt } from './generate-operation.ts';

/** Numbers of outcomes by status, and of the operations of the patches that were applied. */
export interface Tally {
  readonly statuses: Record<string, number>;
  readonly operations: Record<string, number>;
}

export const newTally = (): Tally => ({ statuses: {}, operations: {} });

const TYPE = { 'content-type': 'application/json-patch+json' };

/**
 * Sends random JSON Patches for one box, and compares it after each of them with the result of an independent
 * implementation of RFC 6902, applied to the box as a document whose members are named by their ids.
 *
 * @throws Error with the first difference, the patch, and the values to repeat it
 */
export async function checkPatches(data: DataFixture, seed: number, patches: number, tally: Tally): Promise<void> {
  const create = async (entity: string, body: object): Promise<string> =>
    (await data.send('admin', 'POST', `/entities/${entity}`, body)).json().id;
  const id = await create('w_Box', { name: 'box', data: { a: [1, { b: 'x' }] } });
  const several = (entity: string) => Promise.all(['a', 'b', 'c'].map((name) => create(entity, { name })));
  const others: Others = { tags: await several('w_Tag'), guests: await several('w_Guest') };
  let state = await readDocument(data, id);
  const property = fc.asyncProperty(
    fc.gen(),
    fc.integer({ min: 1, max: 6 }),
    fc.boolean(),
    async (choose, count, isOfSeveral) => {
      const generator = new OperationGenerator(choose, others);
      const { operations, expected } = expectedOf(generator, state.document, count);
      const prefix = isOfSeveral ? `/${id}` : '';
      const sent = operations.map(({ sent: one }) => ({
        ...one,
        path: prefix + one.path,
        ...('from' in one ? { from: prefix + String(one['from']) } : {}),
      }));
      const path = isOfSeveral ? '/entities/w_Box' : `/entities/w_Box/${id}`;
      const response = await data.send('admin', 'PATCH', path, sent, TYPE);
      const after = await readDocument(data, id);
      const wanted = expected ?? state.document;
      const isChanged = textOf(wanted) !== textOf(state.document);
      const differences = [
        [response.status, expected === undefined ? 409 : 200],
        [textOf(after.document), textOf(wanted)],
        [after.version, state.version + (isChanged ? 1 : 0)],
      ].filter(([found, one]) => found !== one);
      if (differences.length > 0)
        throw new Error(
          [
            ...differences.map(([found, one]) => `found    ${found}\nexpected ${one}`),
            `before   ${textOf(state.document)}`,
            ...sent.map((one) => JSON.stringify(one)),
            `${response.status} ${response.text}`,
          ].join('\n'),
        );
      state = after;
      tally.statuses[response.status] = (tally.statuses[response.status] ?? 0) + 1;
      if (expected !== undefined)
        for (const {
          sent: { op },
        } of operations)
          tally.operations[op] = (tally.operations[op] ?? 0) + 1;
    },
  );
  // Each patch begins with the state after the one before, so that a failing sequence cannot be shrunk.
  const run = await fc.check(property, { numRuns: patches, seed, endOnFailure: true, unbiased: true });
  if (run.failed) throw new Error(`Seed ${seed}, patch ${run.numRuns}: ${(run.errorInstance as Error).message}`);
}

/** The operations of one patch, and the document after them; undefined if one of them cannot be applied. */
function expectedOf(
  generator: OperationGenerator,
  before: BoxDocument,
  count: number,
): { readonly operations: readonly Generated[]; readonly expected: BoxDocument | undefined } {
  const operations: Generated[] = [];
  let document = before;
  for (let at = 0; at < count; at += 1) {
    const operation = generator.next(document);
    operations.push(operation);
    const next = applied(document, operation);
    if (next === undefined) return { operations, expected: undefined };
    document = next;
  }
  return { operations, expected: document };
}

function applied(document: BoxDocument, { meant }: Generated): BoxDocument | undefined {
  if (meant === undefined) return undefined;
  try {
    return complete(stepsOf(meant, document).reduce(step, deepClone(document)));
  } catch (error) {
    // Other errors than those of the operation are mistakes of the test.
    if (!(error instanceof Error) || !('operation' in error)) throw error;
    return undefined;
  }
}

type Operation = Parameters<typeof applyOperation>[1];

const step = (document: BoxDocument, operation: Operation): BoxDocument =>
  applyOperation(document, operation, true).newDocument;

/** A move is a removal followed by an addition (RFC 6902 §4.4): the path is that after the removal. */
function stepsOf(meant: NonNullable<Generated['meant']>, document: BoxDocument): readonly Operation[] {
  const operation = meant as unknown as Operation;
  if (operation.op !== 'move' || operation.from === operation.path) return [operation];
  const { from, path } = operation;
  const value: unknown = valueAt(document, from);
  // The library reports what is not there.
  if (value === undefined) return [operation];
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value: deepClone(value) },
  ];
}

const textOf = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
