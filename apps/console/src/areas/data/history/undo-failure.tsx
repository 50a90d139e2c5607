import { Alert, List, Text } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/text-link.tsx';
import '@mantine/core/styles/List.css';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { instancePath } from '../instance-path.ts';
import { undoConflicts, WHOLE } from '../undo/undo-conflicts.ts';

/** Why a change cannot be taken back: what has changed since, in words. */
export function UndoFailure({ error }: { readonly error: unknown }) {
  const text = useText();
  const model = useModel();
  const conflicts = undoConflicts(model, error);
  if (conflicts.length === 0) return <ErrorAlert error={error} />;
  return (
    <Alert color="red" role="alert" title={text('undo.refused')}>
      <Text size="sm">{text('undo.conflicts')}</Text>
      <List size="sm">
        {conflicts.map(({ entity, id, parts }) => (
          <List.Item key={`${entity} ${id}`}>
            <TextLink to={instancePath(entity, id)} c="inherit" underline="always">
              {captionOf(model, entity)}
            </TextLink>
            : {parts.map((part) => (WHOLE.has(part) ? text(`undo.${part}`) : part)).join(', ')}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
