import type { ConsoleContext } from '@lintel/react/console';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useLanguage } from '../context.ts';
import { notify } from '../errors/notify.ts';
import { useShowError } from '../errors/use-show-error.ts';

/** What the page offers to an extension. */
export function useConsole(): ConsoleContext {
  const { locale, text } = useLanguage();
  const navigate = useNavigate();
  const showError = useShowError();
  return useMemo(
    () => ({
      locale,
      navigate: (path) => void navigate({ to: path }),
      notify: (message) => notify({ message, closeLabel: text('action.close') }),
      showError,
    }),
    [locale, navigate, showError, text],
  );
}
