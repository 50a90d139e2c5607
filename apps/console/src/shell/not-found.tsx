import { Stack, Text, Title } from '@mantine/core';
import { useText } from '../language/text-provider.tsx';

/** A path without a page. */
export function NotFound() {
  const text = useText();
  return (
    <Stack>
      <Title order={1}>{text('notFound.title')}</Title>
      <Text>{text('notFound.text')}</Text>
    </Stack>
  );
}
