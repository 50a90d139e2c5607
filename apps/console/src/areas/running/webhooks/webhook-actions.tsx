import { Button, Group } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { NewSecret } from '../../../controls/new-secret.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { createSecret, type Webhook } from './webhook.ts';

const READS = [['webhooks']];

/** The actions of a webhook: change, pause, a new secret, delete. */
export function WebhookActions({ webhook: { id, name, active } }: { readonly webhook: Webhook }) {
  const text = useText();
  const { client, rights } = useModel();
  const navigate = useNavigate();
  const [secret, setSecret] = useState<string>();
  const pause = useAction(() => client.update('sys_Webhook', id, { active: !active }), {
    reads: READS,
    done: text(active ? 'webhooks.paused' : 'webhooks.continued'),
  });
  const replace = useAction(
    async () => {
      const created = createSecret();
      await client.update('sys_Webhook', id, { secret: created });
      return created;
    },
    { onDone: setSecret },
  );
  const remove = useAction(() => client.remove('sys_Webhook', id), {
    done: text('webhooks.removed'),
    onDone: () => void navigate({ to: '/running/webhooks' }),
    reads: READS,
  });
  const mayModify = (attribute: string): boolean =>
    rights.may('sys_Webhook', 'update') && rights.mayModify('sys_Webhook', attribute);
  return (
    <Group gap="xs">
      {rights.may('sys_Webhook', 'update') && (
        <Button size="xs" component={Link} to={`/running/webhooks/${id}/edit`}>
          {text('webhooks.edit')}
        </Button>
      )}
      {mayModify('active') && (
        <Button size="xs" loading={pause.isPending} onClick={() => pause.mutate()}>
          {text(active ? 'webhooks.pause' : 'webhooks.continue')}
        </Button>
      )}
      {mayModify('secret') && (
        <ConfirmButton label={text('webhooks.newSecret')} question={text('webhooks.newSecretText')} action={replace} />
      )}
      {rights.may('sys_Webhook', 'delete') && (
        <ConfirmButton
          label={text('webhooks.remove')}
          question={text('webhooks.removeText', { name })}
          action={remove}
        />
      )}
      <NewSecret title={text('webhooks.secret')} secret={secret} onClose={() => setSecret(undefined)} />
    </Group>
  );
}
