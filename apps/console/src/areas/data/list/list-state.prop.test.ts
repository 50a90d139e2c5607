import { cases, fc } from '@lintel/testkit/properties';
import { nextSort, readListState, writeListState } from './list-state.ts';

const TEXT = fc.string({ unit: 'binary', minLength: 1 });
const PATH = fc.constantFrom('number', 'customer.name', '+points', 'customer.+vip');
const STATE = fc.record({
  filter: fc.option(
    fc.record({
      conditions: fc.array(fc.record({ property: PATH, operator: fc.constant('='), value: TEXT }), { minLength: 1 }),
    }),
    { nil: undefined },
  ),
  words: fc.string({ unit: 'binary' }),
  sort: fc.option(TEXT, { nil: undefined }),
  columns: fc.option(fc.array(PATH, { minLength: 1 }), { nil: undefined }),
  isCounted: fc.boolean(),
});

test('the state that is written replaces each earlier state of an address, and other parameters stay', () => {
  fc.assert(
    fc.property(STATE, STATE, fc.dictionary(fc.constantFrom('tab', 'lang'), TEXT), (state, before, others) => {
      const search = writeListState(state, writeListState(before, others));
      expect(readListState(search)).toEqual(state);
      expect(search).toMatchObject(others);
    }),
    cases(100),
  );
});

test('no content of an address is an error', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('filter', 'words', 'sort', 'columns', 'count'), fc.anything()),
      (search) => {
        const state = readListState(search);
        expect(readListState(writeListState(state, {}))).toEqual({
          ...state,
          // Without conditions there is no filter.
          filter: state.filter?.conditions.length === 0 ? undefined : state.filter,
          sort: state.sort,
        });
      },
    ),
    cases(100),
  );
});

test('three clicks on the caption of a column are rising, falling and no sort, also of a dynamic attribute', () => {
  fc.assert(
    fc.property(PATH, PATH, (path, other) => {
      const first = nextSort(undefined, path);
      const second = nextSort(first, path);
      expect([first?.startsWith('-'), second, nextSort(second, path)]).toEqual([false, `-${path}`, undefined]);
      if (path !== other) expect(nextSort(second, other)).toBe(nextSort(undefined, other));
    }),
    cases(100),
  );
});
