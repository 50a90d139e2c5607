import { Button, Group, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useText } from '../../../../context.ts';
import { Dialog } from '../../../../controls/dialog.tsx';

/**
 * Asks before the page is left while there is input that was not saved: it can stay in the tab, or be discarded.
 *
 * @returns `allow` lets the next navigation pass; `question` is to be shown
 */
export function useLeaveGuard(isDirty: boolean, discard: () => void): { allow(): void; readonly question: ReactNode } {
  const text = useText();
  const isAllowed = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty && !isAllowed.current,
    enableBeforeUnload: () => isDirty && !isAllowed.current,
    withResolver: true,
  });
  const { status, proceed, reset } = blocker;
  const question = status === 'blocked' && (
    <Dialog onClose={reset} title={text('leave.title')}>
      <Text size="sm">{text('leave.text')}</Text>
      <Group justify="end" mt="md" gap="xs">
        <Button
          onClick={() => {
            discard();
            proceed();
          }}
        >
          {text('leave.discard')}
        </Button>
        <Button onClick={proceed}>{text('leave.keep')}</Button>
        <Button variant="filled" data-autofocus onClick={reset}>
          {text('leave.stay')}
        </Button>
      </Group>
    </Dialog>
  );
  return {
    allow() {
      isAllowed.current = true;
    },
    question,
  };
}
