import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';

/**
 * Asks before the page is left while there is input that was not saved.
 *
 * @returns `allow` lets the next navigation pass
 */
export function useLeaveWarning(isDirty: boolean, question: string): { allow(): void } {
  const isAllowed = useRef(false);
  useBlocker({
    shouldBlockFn: () => isDirty && !isAllowed.current && !window.confirm(question),
    enableBeforeUnload: () => isDirty && !isAllowed.current,
  });
  return {
    allow() {
      isAllowed.current = true;
    },
  };
}
