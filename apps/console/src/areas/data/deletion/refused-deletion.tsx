import { RestError } from '@lintel/client';
import { Alert, Stack, Text } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/text-link.tsx';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { listOfReferrers } from './list-of-referrers.ts';
import { referringAttributes } from './referring-attributes.ts';

interface RefusedDeletionProps {
  readonly error: unknown;
  readonly entityName: string;
  /** Absent where it is one of several instances. */
  readonly id: unknown;
}

/** Why an instance is not deleted: the entity that refers to it, with a list of its instances. */
export function RefusedDeletion({ error, entityName, id }: RefusedDeletionProps) {
  const text = useText();
  const model = useModel();
  const details = error instanceof RestError && error.status === 409 ? error.details : '';
  const referrer = /references from (\w+)/.exec(details)?.[1];
  if (referrer === undefined) return <ErrorAlert error={error} />;
  const links =
    id === undefined ? [] : referringAttributes(model, entityName).filter(({ entity }) => entity === referrer);
  return (
    <Alert color="red" title={text(id === undefined ? 'delete.someRefused' : 'delete.refused')} role="alert">
      <Stack gap={4}>
        <Text size="sm">{text('delete.referred', { name: captionOf(model, referrer) })}</Text>
        {links.map(({ attribute: { name } }) => (
          <TextLink key={name} {...listOfReferrers(referrer, name, id)} c="inherit" underline="always">
            {text('delete.show', { name: captionOf(model, referrer), attribute: captionOf(model, referrer, name) })}
          </TextLink>
        ))}
      </Stack>
    </Alert>
  );
}
