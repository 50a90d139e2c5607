import { Alert, Button, Group, Text } from '@mantine/core';
import { formatTime, useLanguage, useText } from '../../../context.ts';

interface KeptInputProps {
  /** When the input was kept, in milliseconds since 1970. */
  readonly at: number;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}

/** Offers input of an earlier visit that was not saved. */
export function KeptInput({ at, onRestore, onDiscard }: KeptInputProps) {
  const { text, locale } = useLanguage();
  return (
    <Alert color="blue" role="status" title={text('kept.title')}>
      <Text size="sm">
        {text('kept.text', {
          time: formatTime(at, locale),
        })}
      </Text>
      <Group gap="xs" mt="xs">
        <Button variant="filled" size="compact-sm" onClick={onRestore}>
          {text('kept.restore')}
        </Button>
        <Button size="compact-sm" onClick={onDiscard}>
          {text('kept.discard')}
        </Button>
      </Group>
    </Alert>
  );
}

interface ChangedElsewhereProps {
  /** The own input is compared with the new values; without input they are shown. */
  readonly isDirty: boolean;
  readonly onCompare: () => void;
  readonly onReload: () => void;
}

/** Says that the instance has been changed since it was read. */
export function ChangedElsewhere({ isDirty, onCompare, onReload }: ChangedElsewhereProps) {
  const text = useText();
  return (
    <Alert color="yellow" role="status">
      <Group justify="space-between">
        <Text size="sm">{text('form.changedElsewhere')}</Text>
        <Button size="compact-sm" onClick={isDirty ? onCompare : onReload}>
          {text(isDirty ? 'form.compare' : 'form.reload')}
        </Button>
      </Group>
    </Alert>
  );
}
