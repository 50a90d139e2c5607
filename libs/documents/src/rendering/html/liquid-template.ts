import { isPlatformError, PlatformError } from '@lintel/errors';
import type { Display } from '@lintel/metadata';
import {
  Context,
  type Emitter,
  Liquid,
  LiquidError,
  Parser,
  type Template,
  TokenKind,
  type TopLevelToken,
  toValue,
} from 'liquidjs';
import { ReportFailure } from '../../report-failure.ts';
import type { HtmlBand } from './html-model.ts';
import { runInSlices } from './run-in-slices.ts';

/** A parsed template in the Liquid language. */
export interface LiquidTemplate {
  readonly engine: Liquid;
  readonly content: readonly Template[];
}

/** Limits of one rendering of a template. */
export interface LiquidLimits {
  /** Time of the event loop, all slices together. */
  readonly maxRenderMs: number;
  /** Characters of the result. */
  readonly maxOutputLength: number;
}

/** Maximum of characters and list items of all filters and ranges of one rendering together. */
const MAX_MEMORY_UNITS = 50_000_000;
/** The same of one filter or range. */
const MAX_UNITS_OF_ONE = 16_000_000;
/** Maximum length of a list in a filter: a list is sorted in one step. */
const MAX_FILTERED_ITEMS = 500_000;
const MAX_TEMPLATE_LENGTH = 4 * 1024 * 1024;
/** Maximum of characters in all tags and outputs, which are parsed in one step. */
const MAX_CODE_LENGTH = 250_000;

/** The global by which the filter `message` finds texts; a symbol, so that no template can name it. */
const MESSAGE = Symbol('message');

type Named = readonly [string, unknown];
const isNamed = (parameter: unknown): parameter is Named => Array.isArray(parameter);

/** Creates an engine whose templates can reach neither other files nor members of prototypes, and cannot run code. */
function createEngine(outputEscape: 'escape' | undefined): Liquid {
  const engine = new Liquid({
    ...(outputEscape === undefined ? {} : { outputEscape }),
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    lenientIf: true,
    // `include`, `render` and `layout` find no other template.
    templates: {},
    dynamicPartials: false,
    // Without it the engine reads the locale of the server, which loads the data of Intl when it is created.
    locale: 'en-US',
    parseLimit: MAX_TEMPLATE_LENGTH,
    memoryLimit: MAX_MEMORY_UNITS,
  });
  for (const [name, filter] of Object.entries(engine.filters)) engine.registerFilter(name, bounded(filter));
  /**
   * `{{ 'sales/priceList' | message }}`, with parameters `{{ 'sales/rows' | message: count: n }}`: the text in the
   * locale of the run (contract/report-templates.md#formats).
   */
  engine.registerFilter('message', function (key: unknown, ...parameters: readonly unknown[]): string {
    const { [MESSAGE]: message } = this.context.globals as { readonly [MESSAGE]: Display['message'] };
    return message(
      String(key ?? ''),
      Object.fromEntries(
        parameters
          .filter(isNamed)
          .map(([name, value]) => [name, typeof value === 'number' ? value : String(value ?? '')]),
      ),
    );
  });
  /** `{{ Root.bands.Data | chart: type: 'bar', category: 'name', values: 'total' }}`: a chart as SVG. */
  engine.registerFilter('chart', {
    raw: true,
    handler: async (rows: unknown, ...parameters: readonly unknown[]): Promise<string> => {
      // Loaded on demand: the library of charts takes as much memory as the rest of the service.
      const { renderChart } = await import('./chart.ts');
      return renderChart(rows, Object.fromEntries(parameters.filter(isNamed)));
    },
  });
  return engine;
}

type Filter = Liquid['filters'][string];

/** Wraps a filter so that it refuses long lists, which it would process in one step. */
function bounded(filter: Filter): Filter {
  const raw = typeof filter === 'function' ? false : (filter.raw ?? false);
  const handler = typeof filter === 'function' ? filter : filter.handler;
  return {
    raw,
    handler(value, ...parameters) {
      if (Array.isArray(value) && value.length > MAX_FILTERED_ITEMS)
        throw limitReached(`gives a filter a list of more than ${MAX_FILTERED_ITEMS} items`);
      return handler.call(this, value, ...parameters);
    },
  };
}

const pages = createEngine('escape');
const texts = createEngine(undefined);

/**
 * Parses the template of a page: values are escaped unless the template says `raw`.
 *
 * @param maxTags tags and outputs together
 * @throws Error with line and column of the mistake; for more tags and outputs, or longer ones
 */
export const parseHtmlTemplate = (text: string, maxTags: number): LiquidTemplate => parse(text, pages, maxTags);

/** Parses the template of a plain text: values are not escaped. */
export const parseTextTemplate = (text: string, maxTags: number): LiquidTemplate => parse(text, texts, maxTags);

function parse(text: string, engine: Liquid, maxTags: number): LiquidTemplate {
  assertTags(text.match(/\{[{%]/g)?.length ?? 0, maxTags);
  return { engine, content: new LimitedParser(engine, maxTags).parse(text) };
}

function assertTags(tags: number, maxTags: number): void {
  if (tags > maxTags) throw new Error(`the template has ${tags} tags and outputs; ${maxTags} are allowed`);
}

/** A parser that counts before it parses: each line of a tag `liquid` is a tag, too. */
class LimitedParser extends Parser {
  readonly #maxTags: number;
  #tags = 0;

  constructor(engine: Liquid, maxTags: number) {
    super(engine);
    this.#maxTags = maxTags;
  }

  override parseTokens(tokens: TopLevelToken[]): Template[] {
    const code = tokens.filter(({ kind }) => kind !== TokenKind.HTML);
    this.#tags += code.length;
    assertTags(this.#tags, this.#maxTags);
    const length = code.reduce((sum, { begin, end }) => sum + end - begin, 0);
    if (length > MAX_CODE_LENGTH)
      throw new Error(`the tags and outputs have ${length} characters; ${MAX_CODE_LENGTH} are allowed`);
    return super.parseTokens(tokens);
  }
}

/**
 * Renders in slices, between which the event loop continues.
 *
 * @throws ReportFailure with line and column of the error; REPORT_RUN_ERROR naming the limit that was reached
 */
export async function renderLiquid(
  { engine, content }: LiquidTemplate,
  root: HtmlBand,
  { message }: Pick<Display, 'message'>,
  { maxRenderMs, maxOutputLength }: LiquidLimits,
  signal?: AbortSignal,
): Promise<string> {
  const renderOptions = { globals: { [MESSAGE]: message }, sync: false };
  const context = new Context({ Root: root }, engine.options, renderOptions, { liquid: engine });
  limitEachUse(context);
  const output = new LimitedOutput(maxOutputLength);
  try {
    await runInSlices(engine.renderer.renderTemplates([...content], context, output) as Iterator<unknown>, {
      maxMs: maxRenderMs,
      signal,
      onTooLong: () => limitReached(`takes more than ${maxRenderMs} ms to render`),
    });
    return output.buffer;
  } catch (cause) {
    signal?.throwIfAborted();
    if (isPlatformError(cause)) throw cause;
    const original = LiquidError.is(cause) ? cause.originalError : undefined;
    if (isPlatformError(original)) throw original;
    if (original?.message === 'memory alloc limit exceeded')
      throw limitReached(
        `works on more than ${MAX_MEMORY_UNITS} characters and list items, or ${MAX_UNITS_OF_ONE} at once`,
      );
    throw new ReportFailure(`The template cannot be rendered: ${(cause as Error).message}`, { cause });
  }
}

const limitReached = (what: string): PlatformError => new PlatformError('REPORT_RUN_ERROR', `The template ${what}`);

/** Refuses a very long single string or list as well, because it is made in one step. */
function limitEachUse({ memoryLimit }: Context): void {
  const use = memoryLimit.use.bind(memoryLimit);
  memoryLimit.use = (units) => use(Number(units) > MAX_UNITS_OF_ONE ? Number.POSITIVE_INFINITY : units);
}

/** The output of a template; refuses more than its maximum. */
class LimitedOutput implements Emitter {
  buffer = '';
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  write(html: unknown): void {
    this.buffer += toText(html);
    if (this.buffer.length > this.#maxLength) throw limitReached(`makes more than ${this.#maxLength} characters`);
  }
}

/** Converts values as liquidjs does. */
const toText = (given: unknown): string => {
  const value: unknown = toValue(given);
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(toText).join('') : String(value);
};
