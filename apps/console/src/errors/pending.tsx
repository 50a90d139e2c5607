import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useText } from '../context.ts';
import { describeError } from './describe-error.ts';
import { refusedRight } from './refused-right.ts';

/** Shown only where something takes longer than a moment, so that nothing blinks. */
const SHOWN_AFTER_MS = 300;

/** Something is being loaded. */
export function Waiting() {
  const text = useText();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Group justify="center" mih={120}>
      {isShown && <Loader aria-label={text('state.loading')} role="status" />}
    </Group>
  );
}

const NeededRight = lazy(async () => ({ default: (await import('./needed-right.tsx')).NeededRight }));

interface ErrorAlertProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** An error where its content would be: what happened, the words and the code of the service, and a retry. */
export function ErrorAlert({ error, onRetry }: ErrorAlertProps) {
  const text = useText();
  const { title, details, code, trace } = describeError(error, text);
  const right = refusedRight(error);
  return (
    <Alert color="red" title={title} role="alert">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {details}
      </Text>
      {right !== undefined && (
        <Suspense fallback={null}>
          <NeededRight right={right} />
        </Suspense>
      )}
      <Group justify="space-between" mt="xs">
        <Text size="xs">
          {code}
          {trace === undefined ? '' : ` · ${trace}`}
        </Text>
        {onRetry !== undefined && (
          <Button size="xs" onClick={onRetry}>
            {text('action.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

interface PendingProps {
  /** Null while the content is loaded. */
  readonly error: unknown;
  readonly onRetry?: () => unknown;
}

/** What a page shows instead of content that is being loaded, or could not be. */
export const Pending = ({ error, onRetry }: PendingProps) =>
  error === null ? <Waiting /> : <ErrorAlert error={error} onRetry={onRetry && (() => void onRetry())} />;
