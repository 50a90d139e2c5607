import { Text } from '@mantine/core';

/** What is wrong with something that is no single field. */
export const ErrorText = ({ message }: { readonly message: string | undefined }) =>
  message === undefined ? null : (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {message}
    </Text>
  );
