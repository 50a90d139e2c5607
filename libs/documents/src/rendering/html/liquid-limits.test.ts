import { createMessages, displayIn } from '@lintel/metadata';
import { rootBand } from '../../bands/band-data.ts';
import { compileTemplate } from '../compile-template.ts';
import { createCellFormatter } from '../formats/format-cell.ts';
import { htmlModel } from './html-model.ts';
import { parseHtmlTemplate, renderLiquid } from './liquid-template.ts';
import { runInSlices } from './run-in-slices.ts';

const locale = displayIn(createMessages([]), 'en');
const model = htmlModel(rootBand(new Map()), createCellFormatter({}, locale), locale);
const LIMITS = { maxRenderMs: 1_000, maxOutputLength: 1_000_000 };

const render = (template: string, signal?: AbortSignal, limits = LIMITS): Promise<string> =>
  renderLiquid(parseHtmlTemplate(template, 5_000), model, locale, limits, signal);
/** With a time that even a busy machine does not need to reach another limit. */
const renderPatiently = (template: string): Promise<string> =>
  render(template, undefined, { ...LIMITS, maxRenderMs: 60_000 });

/** How many times the event loop ran other work while `work` was under way. */
async function roundsDuring(work: () => Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isUnderWay = true;
  const count = (): void => {
    rounds += 1;
    if (isUnderWay) setImmediate(count);
  };
  setImmediate(count);
  await work().catch(() => undefined);
  isUnderWay = false;
  return rounds;
}

const FOREVER =
  '{% for a in (1..10000) %}{% for b in (1..10000) %}{% for c in (1..10000) %}{% assign d = c | plus: b %}{% endfor %}{% endfor %}{% endfor %}';

test('a loop without end is refused by name, and others are served meanwhile', async () => {
  await expect(render(FOREVER)).rejects.toMatchObject({
    code: 'REPORT_RUN_ERROR',
    status: 400,
    message: expect.stringContaining('ms to render'),
  });
  // Slices of 10 ms, of which a busy machine makes fewer and longer ones.
  expect(await roundsDuring(() => render(FOREVER))).toBeGreaterThan(2);
});

test('a run that is given up ends in the middle of a loop', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('left')), 50);
  await expect(render(FOREVER, controller.signal)).rejects.toThrow('left');
});

const DOUBLED = `{% capture x %}aaaaaaaaaa{% endcapture %}${'{% capture x %}{{ x | raw }}{{ x | raw }}{% endcapture %}'.repeat(24)}`;
test.each([
  ['a text doubled again and again', `${DOUBLED}{{ x | raw }}`, /makes more than \d+ characters/],
  ['such a text in a filter', `${DOUBLED}{{ x | upcase }}`, /characters and list items/],
  [
    'a text appended to itself',
    `{% assign x = 'aaaaaaaaaa' %}${'{% assign x = x | append: x %}'.repeat(30)}`,
    /characters and list/,
  ],
  ['a long output', `{% for a in (1..1000000) %}aaaaaaaaaaaaaaaaaaaa{% endfor %}`, /makes more than \d+ characters/],
  ['a range without end', '{% for a in (1..10000000000) %}{% endfor %}', /characters and list items/],
] as const)('%s is refused by name', async (_, template, message) => {
  await expect(renderPatiently(template)).rejects.toMatchObject({
    code: 'REPORT_RUN_ERROR',
    message: expect.stringMatching(message),
  });
});

test('ranges that are kept are refused by name', async () => {
  const template = '{% for i in (1..100) %}{% assign x = (1..10000000) %}{% endfor %}';
  await expect(render(template)).rejects.toMatchObject({
    code: 'REPORT_RUN_ERROR',
    message: expect.stringMatching(/characters and list items|ms to render/),
  });
});

test.each(['sort', 'sort_natural', 'uniq', 'reverse', 'compact', 'join', 'map: "a"', 'where: "a"', 'sum'])(
  'the filter %s takes no list of a million items',
  async (filter) => {
    await expect(renderPatiently(`{% assign x = (1..1000000) | ${filter} %}`)).rejects.toMatchObject({
      code: 'REPORT_RUN_ERROR',
      message: expect.stringContaining('gives a filter a list of more than 500000 items'),
    });
  },
);

test('a template with very many tags is refused before it is parsed', () => {
  expect(() => parseHtmlTemplate('{{ a }}'.repeat(5_001), 5_000)).toThrow(
    'the template has 5001 tags and outputs; 5000 are allowed',
  );
  expect(parseHtmlTemplate('{{ a }}'.repeat(5_000), 5_000).content).toHaveLength(5_000);
});

test('each line of a tag liquid is a tag', () => {
  const blocks = (lines: number): string => `{% liquid\n${'if a\nendif\n'.repeat(lines / 2)}%}`;
  expect(() => parseHtmlTemplate(blocks(20_000), 5_000)).toThrow(
    'the template has 20001 tags and outputs; 5000 are allowed',
  );
  expect(() => parseHtmlTemplate(blocks(3_000).repeat(2), 5_000)).toThrow('5000 are allowed');
  expect(parseHtmlTemplate(blocks(4_998), 5_000).content).toHaveLength(1);
});

test.each([
  ['filters', `{{ a${' | upcase'.repeat(100_000)} }}`],
  ['conditions', `{% if a${' or a == 1'.repeat(100_000)} %}x{% endif %}`],
])('tags with very many %s are refused before they are parsed', (_, template) => {
  expect(() => parseHtmlTemplate(template, 5_000)).toThrow(/characters; 250000 are allowed/);
});

test('templates that are parsed at once are parsed in iterations of the event loop that follow each other', async () => {
  let parsed = 0;
  const definition = { code: 'DEFAULT', outputType: 'HTML', file: 'a.html' } as const;
  const compiled = Array.from({ length: 3 }, async () => {
    await compileTemplate(definition, async () => Buffer.from('{{ a }}'), { bands: [] }, { maxTags: 5_000 });
    parsed += 1;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(parsed).toBeLessThan(2);
  await Promise.all(compiled);
  expect(parsed).toBe(3);
});

test('fifty thousand rows of ten fields are rendered', async () => {
  const template = `{% for a in (1..50000) %}<tr>${'<td>{{ a }}</td>'.repeat(10)}</tr>{% endfor %}`;
  const text = await renderLiquid(parseHtmlTemplate(template, 5_000), model, locale, {
    maxRenderMs: 60_000,
    maxOutputLength: 64e6,
  });
  expect(text.length).toBeGreaterThan(50_000 * 10 * 10);
});

describe('runInSlices', () => {
  const options = { maxMs: 10_000, onTooLong: () => new Error('too long') };

  test('runs nested generators, awaits promises and throws errors into who waits', async () => {
    const inner = function* (value: unknown): Generator<unknown, unknown, unknown> {
      return yield Promise.resolve(value);
    };
    const failing = function* (): Generator<unknown, unknown, unknown> {
      yield 1;
      throw new Error('inner');
    };
    const outer = function* (): Generator<unknown, unknown, unknown> {
      const seen: unknown[] = [yield inner(1), yield 2, yield Promise.resolve(3)];
      for (const bad of [() => failing(), () => Promise.reject(new Error('rejected'))])
        try {
          yield bad();
        } catch (error) {
          seen.push((error as Error).message);
        }
      return seen;
    };
    expect(await runInSlices(outer(), options)).toEqual([1, 2, 3, 'inner', 'rejected']);
  });

  test('a result that is a generator or a promise is run, and an error that nothing catches is thrown', async () => {
    const value = function* (): Generator<unknown, unknown, unknown> {
      yield 1;
      return Promise.resolve('value');
    };
    const outer = function* (): Generator<unknown, unknown, unknown> {
      yield 1;
      return value();
    };
    expect(await runInSlices(outer(), options)).toBe('value');
    const failing = function* (): Generator<unknown, void, unknown> {
      yield Promise.reject(new Error('failed'));
    };
    await expect(runInSlices(failing(), options)).rejects.toThrow('failed');
  });
});
