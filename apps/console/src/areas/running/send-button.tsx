import { Button } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmButton } from '../../controls/confirm-button.tsx';
import { notify } from '../../errors/notify.ts';
import { useShowError } from '../../errors/use-show-error.ts';
import { useText } from '../../language/text-provider.tsx';
import { useOperations } from './operations.ts';

interface SendButtonProps {
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly label: string;
  /** Message after a success. */
  readonly done: string;
  /** Queries whose keys begin so are read again. */
  readonly reads: QueryKey;
  /** Asked before, for what cannot be undone. */
  readonly question?: string;
}

/** A button that sends a request of the operation; the user sees its outcome. */
export function SendButton({ method = 'POST', path, label, done, reads, question }: SendButtonProps) {
  const text = useText();
  const operations = useOperations();
  const showError = useShowError();
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => operations.send(method, path),
    onSuccess: () => void notify({ message: done, closeLabel: text('action.close') }),
    onError: showError,
    onSettled: () => queries.invalidateQueries({ queryKey: reads }),
  });
  return question === undefined ? (
    <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
      {label}
    </Button>
  ) : (
    <ConfirmButton label={label} question={question} loading={isPending} onConfirm={() => mutate()} />
  );
}
