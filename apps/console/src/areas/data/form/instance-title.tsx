import { mayUse } from '@lintel/react';
import { Group, Title } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import { instancePath } from '../instance-path.ts';
import { keptList } from '../list/list-memory.ts';
import classes from './form.module.css';

interface InstanceTitleProps {
  readonly entity: string;
  /** Absent for a new instance. */
  readonly id?: string | undefined;
  readonly name: string;
  /** There is no form: the instance is deleted. */
  readonly isMissing?: boolean;
}

/** The name of an instance, links to the list of its entity, and between its form and its history. */
export function InstanceTitle({ entity, id, name, isMissing = false }: InstanceTitleProps) {
  const text = useText();
  const model = useModel();
  const path = id === undefined ? undefined : instancePath(entity, id);
  const pages = [...(isMissing ? [] : (['form'] as const)), 'history' as const];
  return (
    <div>
      <TextLink to={`/data/${entity}`} search={keptList(model.user.username, entity) as never}>
        {captionOf(model, entity)}
      </TextLink>
      <Title order={1}>{name}</Title>
      {path !== undefined && mayUse(model, 'history.read', entity) && (
        <Group component="nav" aria-label={text('history.pages')} gap="md" className={classes['pages']}>
          {pages.map((each) => (
            <TextLink key={each} to={each === 'form' ? path : `${path}/history`} activeOptions={{ exact: true }}>
              {text(`history.page.${each}`)}
            </TextLink>
          ))}
        </Group>
      )}
    </div>
  );
}
