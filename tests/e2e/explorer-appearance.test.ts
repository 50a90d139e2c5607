import { execute, expand, logIn, openExplorer, openFlow } from './explorer-page.ts';
import { violationsOf } from './page-problems.ts';

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(
  'in %s colours and %i pixels wide, axe finds nothing and nothing is wider than the page',
  async (colorScheme, width) => {
    const { page, problems } = await openExplorer('/rest/docs', { colorScheme, viewport: { width, height: 844 } });
    await logIn(page, 'clerk');
    const search = await expand(page, 'sales_Product', 'searchEntities_sales_Product');
    for (const schema of await search.locator('.schema > summary').all()) await schema.click();
    await execute(search);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await openFlow(page, 'flow-password');
    expect(await violationsOf(page)).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    await page.context().close();
  },
);
