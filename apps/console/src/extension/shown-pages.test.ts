import type { ExtensionParts } from '@lintel/react/console';
import { shownPages } from './shown-pages.ts';

const component = () => null;

test('pages of the extension are shown unless they say otherwise', () => {
  const pages = [
    { path: 'a', title: 'A', component },
    { path: 'b', title: 'B', component, isShown: ({ has }: { has(name: string): boolean }) => has('b.view') },
    { path: 'c', title: 'C', component, isShown: () => false },
  ] as unknown as NonNullable<ExtensionParts['pages']>;
  const shown = (granted: readonly string[]) =>
    shownPages({ pages }, { has: (name: string) => granted.includes(name) } as never).map(({ path }) => path);
  expect([shown([]), shown(['b.view'])]).toEqual([['a'], ['a', 'b']]);
  expect(shownPages({}, {} as never)).toEqual([]);
});
