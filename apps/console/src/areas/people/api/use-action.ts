import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../../errors/notify.ts';
import { useShowError } from '../../../errors/use-show-error.ts';
import { useText } from '../../../language/text-provider.tsx';

/** A request that changes something: what was read of the area is read again, and errors are shown in words. */
export function useAction<V = void, R = unknown>(
  run: (values: V) => Promise<R>,
  { done, onDone }: { readonly done?: string; readonly onDone?: (result: R) => void } = {},
) {
  const queries = useQueryClient();
  const text = useText();
  const showError = useShowError();
  return useMutation({
    mutationFn: run,
    async onSuccess(result) {
      await queries.invalidateQueries({ queryKey: ['people'] });
      if (done !== undefined) void notify({ message: done, closeLabel: text('action.close') });
      onDone?.(result);
    },
    onError: showError,
  });
}
