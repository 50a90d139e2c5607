import type { Values } from '@lintel/react';
import type { ExtensionColumn } from '@lintel/react/console';
import { Text } from '@mantine/core';
import { Guarded } from './guarded.tsx';

/** The value of a column of the extension. */
export const ExtensionCell = ({ column, row }: { readonly column: ExtensionColumn; readonly row: Values }) => {
  const { component: Content } = column;
  return (
    <Guarded fallback={messageOf}>
      <Content row={row} />
    </Guarded>
  );
};

const messageOf = (error: unknown) => (
  <Text c="red" size="xs" role="alert">
    {error instanceof Error ? error.message : String(error)}
  </Text>
);
