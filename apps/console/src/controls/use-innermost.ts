import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/** The open dialogs, the one above all others at the end. */
let open: readonly object[] = [];
const listeners = new Set<() => void>();

function change(next: readonly object[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether a dialog is above all other ones: Escape closes it alone. */
export function useInnermost(isOpen: boolean): boolean {
  const [dialog] = useState(() => ({}));
  useEffect(() => {
    if (!isOpen) return undefined;
    change([...open, dialog]);
    return () => change(open.filter((each) => each !== dialog));
  }, [isOpen, dialog]);
  return useSyncExternalStore(
    subscribe,
    useCallback(() => open.at(-1) === dialog, [dialog]),
  );
}
