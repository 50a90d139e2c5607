import type { Values } from '@lintel/react';
import type { ExtensionColumn, ExtensionField, ExtensionFieldProps } from '@lintel/react/console';
import { Text } from '@mantine/core';
import { ErrorBoundary } from '../../errors/error-boundary.tsx';
import { ErrorAlert } from '../../errors/pending.tsx';

/** A field of the extension; if it fails, its error is shown in the form. */
export const ExtensionFieldOf = ({
  field: { component: Content },
  ...props
}: ExtensionFieldProps & { readonly field: ExtensionField }) => (
  <ErrorBoundary fallback={(error) => <ErrorAlert error={error} />}>
    <Content {...props} />
  </ErrorBoundary>
);

/** The value of a column of the extension. */
export const ExtensionCell = ({ column, row }: { readonly column: ExtensionColumn; readonly row: Values }) => {
  const { component: Content } = column;
  return (
    <ErrorBoundary fallback={messageOf}>
      <Content row={row} />
    </ErrorBoundary>
  );
};

const messageOf = (error: unknown) => (
  <Text c="red" size="xs" role="alert">
    {error instanceof Error ? error.message : String(error)}
  </Text>
);
