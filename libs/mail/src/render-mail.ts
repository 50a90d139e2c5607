import type { Liquid, Template } from 'liquidjs';

/** The texts of a mail in one locale, as templates. */
export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
}

/** A mail with its templates by locale; the first locale is for all others. */
export interface MailTemplates {
  readonly templates: Readonly<Record<string, MailTexts>>;
  readonly unsubscribe?: string | undefined;
}

/** A mail whose templates are parsed. */
export interface ParsedMail {
  /** @throws Error with line and column, for a value that is missing as well */
  render(values: RenderedValues): Promise<MailTexts & { readonly unsubscribe?: string }>;
}

export interface RenderedValues {
  readonly data: Readonly<Record<string, unknown>>;
  readonly locale: string | null;
  /** The text of a key in the locale, for the filter `message`. */
  readonly message: (key: string, parameters: Readonly<Record<string, string | number>>, locale: string) => string;
}

const UNSUBSCRIBE = /^(?:https?|mailto):[^\s<>]+$/;

/** Templates reach neither files nor members of prototypes; a value that is missing is an error, except in `if`. */
const OPTIONS = { ownPropertyOnly: true, strictFilters: true, strictVariables: true, lenientIf: true, templates: {} };

/** The global of the filter `message`; a symbol, so that no template can name it. */
const VALUES = Symbol('values');

type Given = RenderedValues & { readonly locale: string };
type Named = readonly [string, unknown];

/** Creates an engine with the filter `message`, as templates of reports have it. */
async function createEngine(escaped: { outputEscape?: 'escape' }): Promise<Liquid> {
  const engine = new (await import('./liquid.ts')).Liquid({ ...OPTIONS, ...escaped });
  engine.registerFilter('message', function (key: unknown, ...parameters: readonly (Named | unknown)[]) {
    const { message, locale } = (this.context.globals as { readonly [VALUES]: Given })[VALUES];
    const named = parameters.filter((each): each is Named => Array.isArray(each));
    return message(
      String(key),
      Object.fromEntries(named.map(([name, value]) => [name, typeof value === 'number' ? value : String(value)])),
      locale,
    );
  });
  return engine;
}

let engines: Promise<readonly [Liquid, Liquid]> | undefined;

/**
 * Parses the templates of a mail.
 *
 * @throws Error naming the template, with line and column of the mistake
 */
export async function parseMail({ templates, unsubscribe }: MailTemplates): Promise<ParsedMail> {
  engines ??= Promise.all([createEngine({}), createEngine({ outputEscape: 'escape' })]);
  const [texts, pages] = await engines;
  const parse = (engine: Liquid, name: string, text: string): ((values: Given) => Promise<string>) => {
    const parsed = within(name, () => engine.parse(text)) as Template[];
    return (values) => within(name, async () => engine.render(parsed, values.data, { globals: { [VALUES]: values } }));
  };
  const byLocale = new Map(
    Object.entries(templates).map(([locale, { subject, text, html }]) => [
      locale,
      {
        subject: parse(texts, `${locale}.subject`, subject),
        text: parse(texts, `${locale}.text`, text),
        html: html === undefined ? undefined : parse(pages, `${locale}.html`, html),
      },
    ]),
  );
  const link = unsubscribe === undefined ? undefined : parse(texts, 'unsubscribe', unsubscribe);
  return {
    async render(values) {
      const locale = localeOf(byLocale, values.locale);
      const chosen = byLocale.get(locale);
      if (chosen === undefined) throw new Error('The mail has no templates');
      const given = { ...values, locale };
      const subject = await chosen.subject(given);
      const text = await chosen.text(given);
      const html = await chosen.html?.(given);
      const url = await link?.(given);
      if (url !== undefined && !UNSUBSCRIBE.test(url)) throw new Error('unsubscribe: it is no URL of http or mailto');
      return {
        subject: subject.replace(/\s+/g, ' ').trim(),
        text,
        ...(html !== undefined && { html }),
        ...(url !== undefined && { unsubscribe: url }),
      };
    },
  };
}

/** The locale itself, its language, or the first one. */
function localeOf(known: ReadonlyMap<string, unknown>, locale: string | null): string {
  const names = [...known.keys()];
  const language = locale?.split('_')[0];
  return names.find((name) => name === locale) ?? names.find((name) => name === language) ?? names[0] ?? '';
}

/** Names the template in what is thrown, also later. */
function within<T>(name: string, work: () => T): T {
  const named = (error: unknown): Error => new Error(`${name}: ${(error as Error).message}`, { cause: error });
  try {
    const result = work();
    return result instanceof Promise ? (result.catch((error: unknown) => Promise.reject(named(error))) as T) : result;
  } catch (error) {
    throw named(error);
  }
}
