import { Alert, Button, Group, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useText } from '../context.ts';
import { describeError } from './describe-error.ts';
import { refusedRight } from './refused-right.ts';

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
