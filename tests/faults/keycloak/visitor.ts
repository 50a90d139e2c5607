/** What a browser has in front of it after all redirects. */
export interface Visited {
  /** Of the page, or of the first address that is not on this machine. */
  readonly url: URL;
  readonly status: number;
  readonly page: string;
}

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);
const MAX_REDIRECTS = 15;

const unescaped = (text: string): string =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_match, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_match, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** A browser without scripts, with the cookies of each origin, which follows redirects on this machine. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  async visit(address: string | URL, form?: Readonly<Record<string, string>>, withCookies = true): Promise<Visited> {
    let url = new URL(address);
    let body = form === undefined ? undefined : new URLSearchParams(form);
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: withCookies || count > 0 ? { cookie: this.#cookieHeader(url) } : {},
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      this.#keep(url, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, page: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url);
      body = undefined;
      if (!LOCAL.has(url.hostname)) return { url, status: response.status, page: '' };
    }
    throw new Error(`too many redirects, the last one to ${url.origin}${url.pathname}`);
  }

  /** Submits the form of a page, with its fields and those that a user fills in. */
  async submit({ url, page }: Visited, filled: Readonly<Record<string, string>> = {}): Promise<Visited> {
    const action = unescaped(/<form[^>]*\saction="([^"]+)"/i.exec(page)?.[1] ?? '');
    if (action === '') throw new Error(`a page without a form: ${page.slice(0, 2_000)}`);
    const target = new URL(action, url);
    const fields = [...page.matchAll(/<input[^>]*>/gi)].flatMap(([input]) => {
      const [name, value] = ['name', 'value'].map(
        (attribute) => new RegExp(`\\s${attribute}="([^"]*)"`, 'i').exec(input)?.[1],
      );
      return /type="hidden"/i.test(input) && name !== undefined ? [[name, unescaped(value ?? '')]] : [];
    });
    // Browsers send no cookies with SameSite=Lax together with a form of another site.
    return this.visit(target, { ...Object.fromEntries(fields), ...filled }, target.hostname === url.hostname);
  }

  #cookieHeader({ origin }: URL): string {
    return [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep({ origin }: URL, headers: readonly string[]): void {
    const kept = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, kept);
    for (const header of headers) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (/max-age=0|expires=Thu, 01[- ]Jan[- ]1970/i.test(header)) kept.delete(name);
      else kept.set(name, value);
    }
  }
}
