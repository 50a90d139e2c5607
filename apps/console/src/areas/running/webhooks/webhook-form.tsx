import { Checkbox, Fieldset, Group, MultiSelect, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { captionOf, useApi, useLanguage, useModel } from '../../../context.ts';
import { CheckField, SubmitForm, TextField } from '../../../controls/forms.tsx';
import { SaveBar } from '../../../controls/save-bar.tsx';
import { parameterErrors } from '../../../errors/parameter-of-error.ts';
import { type DraftGroup, draftOf, filterOf, isComplete } from '../../data/list/filter/filter-draft.ts';
import { FilterGroup } from '../../data/list/filter/filter-group.tsx';
import { listedEntities } from '../../data/readable-entities.ts';
import { UserNameInput } from '../../people/users/user-name-input.tsx';
import {
  CHANGES,
  changesOf,
  keyOfSetValue,
  ownEventsOf,
  settableValues,
  setValuesOf,
  type Webhook,
} from './webhook.ts';

interface WebhookFormProps {
  /** Absent for a new one. */
  readonly webhook?: Webhook;
  readonly owner: string;
  readonly isSaving: boolean;
  /** The error of the last save. */
  readonly error: unknown;
  readonly onSave: (values: Readonly<Record<string, unknown>>) => void;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}

/** The attributes with a field. */
export const FIELDS = ['name', 'url', 'entityName', 'changes', 'became', 'filter', 'owner'] as const;
type Field = (typeof FIELDS)[number];

/** The settings of a webhook; all mistakes are at their fields at once. */
export function WebhookForm({ webhook, isSaving, error, onSave, onCancel, children, ...initial }: WebhookFormProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const api = useApi();
  const [values, setValues] = useState({
    name: webhook?.name ?? '',
    url: webhook?.url ?? 'https://',
    entityName: webhook?.entityName ?? '',
    changes: changesOf(webhook?.changes ?? CHANGES.join()),
    owner: initial.owner,
    became: Object.entries(webhook?.became ?? {}).map(([attribute, value]) => keyOfSetValue(attribute, value)),
  });
  const { data: events = [] } = useQuery({
    queryKey: ['own-events'],
    queryFn: async ({ signal }) => ownEventsOf(await api.get('docs', '/asyncapi.json', {}, signal)),
  });
  const [filter, setFilter] = useState<DraftGroup | undefined>(() =>
    typeof webhook?.filter === 'string' ? draftOf(JSON.parse(webhook.filter)) : undefined,
  );
  const [isChecked, setChecked] = useState(false);
  const change = (part: Partial<typeof values>): void => setValues((before) => ({ ...before, ...part }));
  const { name, url, entityName, changes, owner, became } = values;
  const missing = new Set<Field>([
    ...(name.trim() === '' ? ['name' as const] : []),
    ...(/^https?:\/\/./.test(url) ? [] : ['url' as const]),
    ...(entityName === '' ? ['entityName' as const] : []),
    ...(changes.length === 0 ? ['changes' as const] : []),
    ...(owner === '' ? ['owner' as const] : []),
  ]);
  const refused = parameterErrors(error, FIELDS);
  const problemOf = (field: Field): string | undefined =>
    isChecked && missing.has(field) ? text(`webhooks.needed.${field}`) : refused.get(field);
  const save = (): void => {
    setChecked(true);
    if (missing.size > 0 || (filter !== undefined && !isComplete(model, entityName, filter))) return;
    const conditions = filter === undefined ? undefined : filterOf(filter);
    onSave({
      ...values,
      changes: CHANGES.filter((each) => changes.includes(each)).join(),
      became: became.length === 0 ? null : setValuesOf(became),
      filter: conditions === undefined ? null : JSON.stringify(conditions),
    });
  };
  const entities = listedEntities(model, locale).map((each) => each.entityName);
  const options = [...new Set([...entities, ...events, ...(entityName === '' ? [] : [entityName])])];
  const isEntity = entities.includes(entityName);
  const settable = isEntity ? settableValues(model, entityName, { locale, text, enums: model.enums }) : [];
  return (
    <SubmitForm noValidate onSubmit={save}>
      <Stack maw={760}>
        <TextField
          label={text('webhooks.name')}
          withAsterisk
          error={problemOf('name')}
          value={name}
          onChange={(value) => change({ name: value })}
        />
        <TextField
          label={text('webhooks.url')}
          description={text('webhooks.urlHint')}
          withAsterisk
          type="url"
          error={problemOf('url')}
          value={url}
          onChange={(value) => change({ url: value })}
        />
        <Select
          label={text('webhooks.entity')}
          description={text('webhooks.entityHint')}
          withAsterisk
          searchable
          error={problemOf('entityName')}
          value={entityName === '' ? null : entityName}
          onChange={(chosen) => {
            change({ entityName: chosen ?? '', became: [] });
            // The conditions are of the former entity.
            setFilter(undefined);
          }}
          data={options.map((value) => ({ value, label: captionOf(model, value) }))}
        />
        {(isEntity || entityName === '') && (
          <Checkbox.Group
            label={text('webhooks.changes')}
            withAsterisk
            error={problemOf('changes')}
            value={changes}
            onChange={(chosen) => change({ changes: chosen })}
          >
            <Group mt={4}>
              {CHANGES.map((value) => (
                <Checkbox key={value} value={value} label={text(`deliveries.change.${value}`)} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        {settable.length > 0 && (
          <MultiSelect
            label={text('webhooks.became')}
            description={text('webhooks.becameHint')}
            searchable
            error={refused.get('became')}
            data={settable}
            value={became}
            onChange={(chosen) =>
              change({
                became: Object.entries(setValuesOf(chosen)).map(([attribute, value]) =>
                  keyOfSetValue(attribute, value),
                ),
              })
            }
          />
        )}
        {isEntity && (
          <Fieldset legend={text('webhooks.filter')}>
            <Stack gap="sm">
              <CheckField
                label={text('webhooks.all')}
                error={refused.get('filter')}
                checked={filter === undefined}
                onChange={(isChecked) => setFilter(isChecked ? undefined : draftOf(undefined))}
              />
              {filter !== undefined && (
                <FilterGroup
                  entityName={entityName}
                  group={filter}
                  isChecked={isChecked}
                  onChange={(next) => setFilter(next ?? draftOf(undefined))}
                />
              )}
            </Stack>
          </Fieldset>
        )}
        {model.rights.has('webhooks.owner.choose') && (
          <UserNameInput
            label={text('webhooks.owner')}
            description={text('webhooks.ownerHint')}
            error={problemOf('owner')}
            value={owner}
            onChange={(chosen) => change({ owner: chosen })}
          />
        )}
        {children}
      </Stack>
      <SaveBar isSaving={isSaving} onDiscard={onCancel} />
    </SubmitForm>
  );
}
