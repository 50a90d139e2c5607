import { ValidationError } from '@lintel/client';
import { Alert, Stack, Text } from '@mantine/core';
import { ErrorAlert } from '../../../../errors/pending.tsx';
import type { FormAttribute } from '../attributes/form-attributes.ts';

interface FailureProps {
  readonly error: unknown;
  readonly fields: readonly FormAttribute[];
}

/** What the server said about the whole form: an error that is shown at no field. */
export function Failure({ error, fields }: FailureProps) {
  if (error instanceof ValidationError) {
    const names = new Set(fields.map(({ attribute }) => attribute.name));
    const others = error.items.filter(({ path }) => !names.has(path.split(/[.[]/)[0] ?? ''));
    if (others.length === 0) return null;
    return (
      <Alert color="red" role="alert">
        <Stack gap={2}>
          {others.map(({ path, message }) => (
            <Text key={`${path} ${message}`} size="sm">
              {path === '' ? message : `${path}: ${message}`}
            </Text>
          ))}
        </Stack>
      </Alert>
    );
  }
  return <ErrorAlert error={error} />;
}
