import { Button } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useApi } from '../../context.ts';
import { ConfirmButton } from '../../controls/confirm-button.tsx';
import { useAction } from '../../requests/use-action.ts';

interface SendButtonProps {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The body. */
  readonly json?: unknown;
  readonly label: string;
  /** Message after a success. */
  readonly done: string;
  /** Queries whose keys begin so are read again. */
  readonly reads: QueryKey;
  /** Asked before, for what cannot be undone. */
  readonly question?: string;
}

/** A button that sends a request of the operation; the user sees its outcome. */
export function SendButton({ method = 'POST', path, json, label, done, reads, question }: SendButtonProps) {
  const api = useApi();
  const action = useAction(() => api.send(method, 'operations', path, json), { reads: [reads], done });
  return question === undefined ? (
    <Button size="xs" loading={action.isPending} onClick={() => action.mutate()}>
      {label}
    </Button>
  ) : (
    <ConfirmButton label={label} question={question} action={action} />
  );
}
