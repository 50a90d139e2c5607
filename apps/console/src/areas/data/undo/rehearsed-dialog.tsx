import type { Rehearsal } from '@lintel/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { ErrorAlert, Waiting } from '../../../errors/pending.tsx';

interface RehearsedDialogProps<R extends Rehearsal> {
  readonly title: string;
  readonly question?: string;
  /** Caption of the button that does it. */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** Another one is another rehearsal. */
  readonly subject: readonly unknown[];
  /** Rehearses the write; undefined where there is nothing to do. */
  readonly preview: (() => Promise<R>) | undefined;
  readonly show: (rehearsal: R) => ReactNode;
  /** Shows why the write would be, or was, refused. */
  readonly showError?: (error: unknown) => ReactNode;
  /** Writes; the dialog closes afterwards. */
  readonly onConfirm: (rehearsal: R) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A question with what the write would change: it is rehearsed before the user confirms it. */
export function RehearsedDialog<R extends Rehearsal>({
  title,
  question,
  confirm,
  isDangerous = false,
  subject,
  preview,
  show,
  showError = (error) => <ErrorAlert error={error} />,
  onConfirm,
  onClose,
  children,
}: RehearsedDialogProps<R>) {
  const text = useText();
  const { data, error, isFetching } = useQuery({
    queryKey: ['rehearsal', ...subject],
    queryFn: () => preview?.() ?? Promise.reject(new TypeError('Nothing to rehearse')),
    enabled: preview !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const work = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const failure = work.error ?? error;
  return (
    <Dialog title={title} onClose={onClose} size="xl">
      <Stack gap="sm">
        {question !== undefined && <Text size="sm">{question}</Text>}
        {children}
        {isFetching && <Waiting />}
        {failure !== null && showError(failure)}
        {preview !== undefined && data !== undefined && !isFetching && error === null && show(data)}
        <Group justify="flex-end">
          <Button onClick={onClose}>{text('action.cancel')}</Button>
          <Button
            variant="filled"
            {...(isDangerous && { color: 'red.9' })}
            disabled={preview === undefined || data === undefined || isFetching || error !== null}
            loading={work.isPending}
            onClick={() => data !== undefined && work.mutate(data)}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
