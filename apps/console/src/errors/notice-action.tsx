import { Button, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';

/** Offer of a message. */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

/** A message with a button, which Ctrl Z presses, too, unless the focus is in an input. */
export function ActionNotice({ message, label, run }: NoticeAction & { readonly message: string }) {
  const act = (): void => {
    // The button is gone afterwards.
    document.getElementById('content')?.focus({ preventScroll: true });
    run();
  };
  useHotkeys([['mod+Z', act]]);
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      <Button size="compact-sm" aria-keyshortcuts="Control+Z" onClick={act}>
        {label}
      </Button>
    </Group>
  );
}
