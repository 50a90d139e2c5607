import { useEffect, useRef } from 'react';

/**
 * When a dialog is closed, or removed while it is open, the element that had the focus before has it again; the content
 * of the page, if that element is gone.
 */
export function useFocusReturn(isOpen: boolean): void {
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
