import { createContext, useCallback, useContext, useEffect, useState } from 'react';

const OuterDialog = createContext<(change: 1 | -1) => void>(() => undefined);

/** Gives the dialogs of its children the dialog that they are opened from. */
export const OuterDialogProvider = OuterDialog;

/** Dialogs that are opened from a dialog: Escape closes the innermost one alone. */
export function useInnerDialogs(isOpen: boolean) {
  const notifyOuter = useContext(OuterDialog);
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isOpen) return undefined;
    notifyOuter(1);
    return () => notifyOuter(-1);
  }, [isOpen, notifyOuter]);
  return { hasInner: count > 0, notify: useCallback((change: 1 | -1) => setCount((before) => before + change), []) };
}
