import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../context.ts';
import type { Webhook } from './webhook.ts';

/** The query for one webhook. */
export function useWebhook(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', id],
    queryFn: async ({ signal }) =>
      (await client.load('sys_Webhook', id, { fetchPlan: '_local', signal })) as unknown as Webhook,
  });
}
