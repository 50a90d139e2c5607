import type { ConditionGroup } from '@lintel/client';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useModel, useText } from '../../../../context.ts';
import { SubmitForm } from '../../../../controls/forms.tsx';
import classes from '../list.module.css';
import { type DraftGroup, draftOf, filterOf, isComplete } from './filter-draft.ts';
import { FilterGroup } from './filter-group.tsx';

interface FilterPanelProps {
  readonly entityName: string;
  readonly filter: ConditionGroup | undefined;
  readonly onApply: (filter: ConditionGroup | undefined) => void;
}

/** Edits the filter of a list: conditions for attributes at any depth, in groups of which all, any or none match. */
export function FilterPanel({ entityName, filter, onApply }: FilterPanelProps) {
  const text = useText();
  const model = useModel();
  const [draft, setDraft] = useState<DraftGroup>(() => draftOf(filter));
  const [isChecked, setChecked] = useState(filter !== undefined);
  const apply = (): void => {
    setChecked(true);
    if (isComplete(model, entityName, draft)) onApply(filterOf(draft));
  };
  return (
    <SubmitForm aria-label={text('filter.title')} onSubmit={apply}>
      <Stack className={classes['panel']} gap="sm">
        <FilterGroup
          entityName={entityName}
          group={draft}
          isChecked={isChecked}
          onChange={(next) => setDraft(next ?? draftOf(undefined))}
        />
        <Group gap="xs">
          <Button variant="filled" type="submit">
            {text('filter.apply')}
          </Button>
          <Button
            onClick={() => {
              setDraft(draftOf(undefined));
              setChecked(false);
              onApply(undefined);
            }}
          >
            {text('filter.remove')}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  );
}
