import { Badge } from '@mantine/core';
import { useText } from '../../../context.ts';

/** Whether a webhook sends, or is paused. */
export function ActiveBadge({ isActive }: { readonly isActive: boolean }) {
  const text = useText();
  return <Badge color={isActive ? 'green' : 'gray'}>{text(isActive ? 'webhooks.active' : 'webhooks.inactive')}</Badge>;
}
