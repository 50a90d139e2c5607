import { buildModel, entityOf, standardEntity } from '@lintel/metadata';
import { canonicalKey } from '@lintel/query';
import { cases, fc } from '@lintel/testkit/properties';
import { writeModelOf } from '../model/write-model.ts';
import { heldInRings, leaversFirst, type Mover } from './leavers-first.ts';

const model = buildModel({ entities: [standardEntity('t_A', { attributes: {} })] });
const layout = writeModelOf(model).of(entityOf(model, 't_A'));

/** Moves from one value to another; none without a value. */
const mover = (id: string, from: string | undefined, to: string | undefined): Mover => ({
  node: {
    entity: layout.entity,
    layout,
    key: canonicalKey([id]),
    kind: 'update',
    path: '',
    before: new Map(),
    after: new Map(),
    sent: new Map(),
    children: new Map(),
  },
  slots: [],
  leaves: new Set(from === undefined ? [] : [from]),
  takes: new Set(to === undefined ? [] : [to]),
});
const idsOf = (movers: Iterable<Mover>) => [...movers].map(({ node }) => node.key[0]);

test('who does not wait for another keeps its position', () => {
  expect(idsOf(leaversFirst([mover('1', 'a', 'x'), mover('2', undefined, 'y'), mover('3', 'c', undefined)]))).toEqual([
    '1',
    '2',
    '3',
  ]);
});

test('who keeps one of its values does not wait for itself', () => {
  expect(idsOf(leaversFirst([mover('1', 'a', 'a')]))).toEqual(['1']);
});

test('several values are all left before they are taken', () => {
  const taker: Mover = { ...mover('1', undefined, undefined), takes: new Set(['a', 'b']) };
  expect(idsOf(leaversFirst([taker, mover('2', 'a', 'x'), mover('3', 'b', 'y')]))).toEqual(['3', '2', '1']);
});

/** Moves of tokens between values, made one after the other to a free value: so there is an order. */
const moves = fc
  .record({
    steps: fc.array(fc.nat(30), { maxLength: 12 }),
    shuffled: fc.array(fc.nat(100), { minLength: 12, maxLength: 12 }),
  })
  .map(({ steps, shuffled }) => {
    const values = Array.from({ length: 16 }, (_, at) => `v${at}`);
    const taken = new Set(values.slice(0, 12));
    const movers = steps.map((step, at) => {
      const free = values.filter((value) => !taken.has(value));
      const to = free[step % free.length] as string;
      taken.delete(`v${at}`);
      taken.add(to);
      return mover(String(at), `v${at}`, to);
    });
    return movers
      .map((one, at) => ({ one, rank: shuffled[at] ?? 0 }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ one }) => one);
  });

test('the order is one in which each value is free when it is taken, and has each mover once', () => {
  fc.assert(
    fc.property(moves, (movers) => {
      const taken = new Set(movers.flatMap(({ leaves }) => [...leaves]));
      const ordered = [...leaversFirst(movers)];
      expect(new Set(ordered)).toEqual(new Set(movers));
      for (const { leaves, takes } of ordered) {
        for (const value of takes) expect(taken.has(value)).toBe(false);
        for (const value of leaves) taken.delete(value);
        for (const value of takes) taken.add(value);
      }
    }),
    cases(300),
  );
});

test('a mover is looked at a few times, however many movers exchange one value', () => {
  let reads = 0;
  const movers = Array.from({ length: 200 }, (_, at) => {
    const exchanged = mover(`${at}`, 'a', 'a');
    return Object.defineProperty({ ...exchanged }, 'takes', {
      get: () => {
        reads += 1;
        return exchanged.takes;
      },
    });
  });
  const ordered = leaversFirst(movers);
  expect([ordered.size, heldInRings([...ordered]).size]).toEqual([200, 199]);
  expect(reads).toBeLessThan(1_000);
});
