import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useText } from '../context.ts';

/**
 * When a dialog is closed, or removed while it is open, the element that had the focus before has it again; the content
 * of the page, if that element is gone.
 */
function useFocusReturn(isOpen: boolean): void {
  const before = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // Read while rendering: the dialog takes the focus before any effect.
  if (isOpen && !wasOpen.current) before.current = document.activeElement;
  wasOpen.current = isOpen;
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      const element = before.current;
      // The dialog gives the focus up when it is gone.
      setTimeout(() => {
        const now = document.activeElement;
        if (now !== null && now !== document.body && now.closest('[role=dialog]') === null) return;
        if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
        else document.getElementById('content')?.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}

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
function useInnermost(isOpen: boolean): boolean {
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

/** The settings of every dialog: Escape closes the innermost one, and the focus returns to where it was. */
export function useOverlay(isOpen: boolean, onClose: () => void) {
  const text = useText();
  useFocusReturn(isOpen);
  return {
    opened: isOpen,
    onClose,
    closeOnEscape: useInnermost(isOpen),
    returnFocus: false,
    transitionProps: { duration: 0 },
    closeButtonProps: { 'aria-label': text('action.close') },
    // The header is no banner of the page.
    attributes: { header: { role: 'none' } },
  };
}
