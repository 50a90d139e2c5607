import { useNavigate } from '@tanstack/react-router';
import { useModel, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { useAction } from '../api/use-action.ts';

interface RemoveRoleProps {
  readonly entity: 'sec_ResourceRole' | 'sec_RowLevelRole';
  readonly id: string;
  readonly name: string;
}

/** Removes a role of the database; its assignments grant nothing afterwards. */
export function RemoveRole({ entity, id, name }: RemoveRoleProps) {
  const text = useText();
  const { client, rights } = useModel();
  const navigate = useNavigate();
  const remove = useAction(() => client.remove(entity, id), {
    done: text('roles.removed'),
    onDone: () => void navigate({ to: '/people/roles' }),
  });
  if (!rights.may(entity, 'delete')) return null;
  const isRowLevel = entity === 'sec_RowLevelRole';
  return (
    <ConfirmButton
      size="sm"
      label={text('roles.remove')}
      question={text(isRowLevel ? 'roles.removeRowText' : 'roles.removeText', { name })}
      action={remove}
    />
  );
}
