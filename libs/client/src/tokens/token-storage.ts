/** Keeps texts between page loads: `localStorage` and `sessionStorage` are such storages, and so is a database. */
export interface TokenStorage {
  /** The text under a key; null if there is none. */
  getItem(key: string): string | null | Promise<string | null>;
  /** Keeps a text, also one that replaces another. */
  setItem(key: string, value: string): void | Promise<void>;
  /** Removes a text; without one it does nothing. */
  removeItem(key: string): void | Promise<void>;
}

/** A storage that ends with the process or the page. */
export function memoryStorage(): TokenStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  };
}
