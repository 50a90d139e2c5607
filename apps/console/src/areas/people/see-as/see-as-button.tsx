import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../../context.ts';
import { useAction } from '../api/use-action.ts';
import { useSeeAs } from './see-as-context.ts';

/** Shows the console as the user sees it. */
export function SeeAsButton({ username }: { readonly username: string }) {
  const text = useText();
  const seeAs = useSeeAs();
  const navigate = useNavigate();
  const begin = useAction(async () => {
    await seeAs.begin(username);
    await navigate({ to: '/' as string });
  });
  return (
    <Button
      variant="filled"
      size="xs"
      leftSection={<IconEye size={16} />}
      loading={begin.isPending}
      onClick={() => begin.mutate()}
    >
      {text('seeAs.begin')}
    </Button>
  );
}
