/** Values of strings, as in a web storage. */
type Values = Record<string, string>;

/** The members of a window that the storage uses. */
export interface TabWindow {
  /** Keeps the values while the tab loads another page. */
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** `pagehide`: the page is left, maybe for another one of the tab; `pageshow`: it is shown, also from memory. */
  addEventListener(type: 'pagehide' | 'pageshow', listener: () => void): void;
}

/** Values of one tab. */
export type TabStorage = ReturnType<typeof createTabStorage>;

/**
 * A storage in memory that survives a reload of the page: its values are in the `sessionStorage` only from the moment
 * when the page is left until it is shown again. While the page runs, no script finds a token there.
 *
 * @param key of the `sessionStorage`
 */
export function createTabStorage(key: string, page: TabWindow = window) {
  let values: Values = take();

  function take(): Values {
    const text = page.sessionStorage.getItem(key);
    page.sessionStorage.removeItem(key);
    return text === null ? {} : (JSON.parse(text) as Values);
  }

  page.addEventListener('pagehide', () => {
    if (Object.keys(values).length > 0) page.sessionStorage.setItem(key, JSON.stringify(values));
  });
  // A page that the browser has kept in memory continues with its own values.
  page.addEventListener('pageshow', () => page.sessionStorage.removeItem(key));

  return {
    getItem: (name: string): string | null => values[name] ?? null,
    setItem(name: string, value: string): void {
      values = { ...values, [name]: value };
    },
    removeItem(name: string): void {
      this.keepOnly((other) => other !== name);
    },
    /** Removes the values of other names. */
    keepOnly(isKept: (name: string) => boolean): void {
      values = Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));
    },
  };
}
