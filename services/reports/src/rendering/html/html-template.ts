import type { Display } from '@lintel/metadata';
import { Liquid, type Template } from 'liquidjs';
import { ReportFailure } from '../../report-failure.ts';
import type { HtmlBand } from './html-model.ts';

export type HtmlTemplate = readonly Template[];

/** What a template may use up. */
const LONGEST_RENDER_MS = 60_000;
const MOST_MEMORY_UNITS = 200_000_000;

/**
 * Templates are text only: values are escaped unless the template says `raw`, other files and members of
 * prototypes cannot be reached.
 */
const engine = new Liquid({
  outputEscape: 'escape',
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: false,
  lenientIf: true,
  // `include`, `render` and `layout` find nothing: templates stand alone.
  templates: {},
  dynamicPartials: false,
  renderLimit: LONGEST_RENDER_MS,
  memoryLimit: MOST_MEMORY_UNITS,
});

/** How a rendering finds texts; under a symbol, so that no template can name it. */
const MESSAGE = Symbol('message');

/**
 * `{{ 'sales/priceList' | message }}`, with parameters `{{ 'sales/rows' | message: count: n }}`: the text in
 * the language of the run (contract-reports-files-metadata.md §1.12).
 */
engine.registerFilter('message', function (key: unknown, ...parameters: readonly unknown[]): string {
  const { [MESSAGE]: message } = this.context.globals as { readonly [MESSAGE]: Display['message'] };
  const named = parameters.filter((parameter): parameter is [string, unknown] => Array.isArray(parameter));
  return message(
    String(key ?? ''),
    Object.fromEntries(named.map(([name, value]) => [name, typeof value === 'number' ? value : String(value ?? '')])),
  );
});

/** @throws Error with line and column of the mistake */
export const parseHtmlTemplate = (text: string): HtmlTemplate => engine.parse(text);

/** @throws ReportFailure with line and column of what failed */
export async function renderHtml(
  template: HtmlTemplate,
  root: HtmlBand,
  { message }: Pick<Display, 'message'>,
): Promise<string> {
  try {
    return String(await engine.render([...template], { Root: root }, { globals: { [MESSAGE]: message } }));
  } catch (cause) {
    throw new ReportFailure(`The template cannot be rendered: ${(cause as Error).message}`, { cause });
  }
}
