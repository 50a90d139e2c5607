import type { Display } from '@lintel/metadata';
import { Liquid, type Template } from 'liquidjs';
import { ReportFailure } from '../../report-failure.ts';
import type { HtmlBand } from './html-model.ts';

/** A template in the Liquid language that was parsed. */
export interface LiquidTemplate {
  readonly engine: Liquid;
  readonly content: readonly Template[];
}

/** What a template may use up. */
const LONGEST_RENDER_MS = 15_000;
const MOST_MEMORY_UNITS = 200_000_000;
const LONGEST_TEMPLATE = 8 * 1024 * 1024;

/** How a rendering finds texts; under a symbol, so that no template can name it. */
const MESSAGE = Symbol('message');

type Named = readonly [string, unknown];
const isNamed = (parameter: unknown): parameter is Named => Array.isArray(parameter);

/**
 * Templates are text only: other files and members of prototypes cannot be reached, and there is no way to run
 * code.
 */
function createEngine(outputEscape: 'escape' | undefined): Liquid {
  const engine = new Liquid({
    ...(outputEscape === undefined ? {} : { outputEscape }),
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    lenientIf: true,
    // `include`, `render` and `layout` find nothing: templates stand alone.
    templates: {},
    dynamicPartials: false,
    parseLimit: LONGEST_TEMPLATE,
    renderLimit: LONGEST_RENDER_MS,
    memoryLimit: MOST_MEMORY_UNITS,
  });
  /**
   * `{{ 'sales/priceList' | message }}`, with parameters `{{ 'sales/rows' | message: count: n }}`: the text in
   * the language of the run (contract-reports-files-metadata.md §1.12).
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
  /** `{{ Root.bands.Data | chart: type: 'bar', category: 'name', values: 'total' }}`: a drawing (SVG). */
  engine.registerFilter('chart', {
    raw: true,
    handler: async (rows: unknown, ...parameters: readonly unknown[]): Promise<string> => {
      // Loaded when first needed: the library of charts takes as much memory as all the rest of the service.
      const { renderChart } = await import('./chart.ts');
      return renderChart(rows, Object.fromEntries(parameters.filter(isNamed)));
    },
  });
  return engine;
}

const pages = createEngine('escape');
const texts = createEngine(undefined);

/**
 * A page: values are escaped unless the template says `raw`.
 *
 * @throws Error with line and column of the mistake
 */
export const parseHtmlTemplate = (text: string): LiquidTemplate => ({ engine: pages, content: pages.parse(text) });

/** Plain text: values are as they are. */
export const parseTextTemplate = (text: string): LiquidTemplate => ({ engine: texts, content: texts.parse(text) });

/** @throws ReportFailure with line and column of what failed */
export async function renderLiquid(
  { engine, content }: LiquidTemplate,
  root: HtmlBand,
  { message }: Pick<Display, 'message'>,
): Promise<string> {
  try {
    return String(await engine.render([...content], { Root: root }, { globals: { [MESSAGE]: message } }));
  } catch (cause) {
    throw new ReportFailure(`The template cannot be rendered: ${(cause as Error).message}`, { cause });
  }
}
