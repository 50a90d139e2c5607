import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useText } from '../context.ts';
import { notify } from '../errors/notify.ts';
import { isAtFields } from '../errors/parameter-of-error.ts';
import { useShowError } from '../errors/use-show-error.ts';

/** Effects of a request. */
export interface ActionOptions<R> {
  /** Queries whose keys begin so are read again, also after a failure. */
  readonly reads?: readonly QueryKey[];
  /** Message after a success. */
  readonly done?: string | undefined;
  readonly onDone?: (result: R) => void;
  /** Attributes with fields on the page: mistakes in these alone are shown there, and in no message. */
  readonly fields?: readonly string[];
}

/** A request that changes something: what it concerns is read again, and the user sees its outcome in words. */
export function useAction<V = void, R = unknown>(
  run: (values: V) => Promise<R>,
  { reads = [], done, onDone, fields = [] }: ActionOptions<R> = {},
) {
  const queries = useQueryClient();
  const text = useText();
  const showError = useShowError();
  const refresh = () => Promise.all(reads.map((queryKey) => queries.invalidateQueries({ queryKey })));
  return useMutation({
    mutationFn: run,
    async onSuccess(result) {
      await refresh();
      if (done !== undefined) notify({ message: done, closeLabel: text('action.close') });
      onDone?.(result);
    },
    onError(error) {
      if (!isAtFields(error, fields)) showError(error);
      return refresh();
    },
  });
}
