/** The members of an object in the `localStorage`; none if another program has written something else. */
export function storedMembers(key: string): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
