import { useCallback } from 'react';
import { useText } from '../context.ts';
import { describeError } from './describe-error.ts';
import { notify } from './notify.ts';
import { refusedRight } from './refused-right.ts';

/** A function that shows an error as a notification, which stays until the user closes it. */
export function useShowError(): (error: unknown) => void {
  const text = useText();
  return useCallback(
    (error) => {
      const { title, details, code, trace } = describeError(error, text);
      const reference = trace === undefined ? code : `${code} · ${trace}`;
      const right = refusedRight(error);
      const needed =
        right !== undefined && 'specific' in right ? [text('refusal.specific', { policy: right.specific })] : [];
      const message = [details, ...needed, `(${reference})`].join(' ');
      notify({ title, message, isError: true, closeLabel: text('action.close') });
    },
    [text],
  );
}
