import { ActionIcon, Code, Fieldset, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { captionOf, useApi, useModel, useText } from '../../../context.ts';
import { ChoiceField } from '../../../controls/forms.tsx';
import type { RowPolicy } from '../api/roles.ts';
import { RuleCondition } from './rule-condition.tsx';
import { withoutPosition } from './without-position.ts';

interface RowPolicyEditorProps {
  readonly number: number;
  readonly policy: RowPolicy;
  /** Absent for a policy that cannot be changed here; undefined as the value removes it. */
  readonly onChange: ((policy: RowPolicy | undefined) => void) | undefined;
}

interface Mistake {
  readonly attribute: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

const CHECK_AFTER_MS = 300;
const ACTIONS = ['read', 'create', 'update', 'delete', 'create,read,update,delete'];

/** One policy of a row-level role; the server checks it while it is written. */
export function RowPolicyEditor({ number, policy, onChange }: RowPolicyEditorProps) {
  const text = useText();
  const model = useModel();
  const api = useApi();
  const [checked] = useDebouncedValue(policy, CHECK_AFTER_MS);
  const isText = policy.type === 'query' || policy.script !== null;
  const { data } = useQuery({
    queryKey: ['people-check', checked],
    enabled: onChange !== undefined && checked.entityName !== '',
    queryFn: () => api.send<{ readonly errors: readonly Mistake[] }>('POST', 'rights', '/conditions', checked),
    placeholderData: keepPreviousData,
  });
  const mistakes = onChange === undefined || policy.entityName === '' ? [] : (data?.errors ?? []);
  const mistakeOf = (attribute: string): string | undefined => {
    const found = mistakes.find((each) => each.attribute === attribute);
    if (found === undefined) return undefined;
    const { line, column } = found;
    const message = withoutPosition(found.message);
    return line === null ? message : text('rules.mistakeAt', { message, line, column: column ?? 1 });
  };
  const conditionName = policy.type === 'query' ? 'whereClause' : 'script';
  const change = (part: Partial<RowPolicy>): void => onChange?.({ ...policy, ...part });
  const entities = [...model.entities.keys()].sort();
  return (
    <Fieldset legend={text('rules.policy', { count: number })} disabled={onChange === undefined}>
      <Stack gap="sm">
        <Group align="start">
          <Select
            label={text('roles.entity')}
            searchable
            value={policy.entityName === '' ? null : policy.entityName}
            error={mistakeOf('entityName')}
            // The condition is about the former entity.
            onChange={(entityName) => change({ entityName: entityName ?? '', [conditionName]: '' })}
            data={entities.map((value) => ({ value, label: `${captionOf(model, value)} (${value})` }))}
            w={320}
          />
          <ChoiceField
            label={text('rules.action')}
            value={policy.action ?? 'read'}
            error={mistakeOf('action')}
            onChange={(value) => change({ action: value })}
            data={[...new Set([...ACTIONS, policy.action ?? 'read'])].map((value) => ({
              value,
              label: value
                .split(',')
                .map((each) => text(`roles.operation.${each.trim()}`))
                .join(', '),
            }))}
          />
          {onChange !== undefined && (
            <ActionIcon mt={25} size={34} aria-label={text('rules.remove')} onClick={() => onChange(undefined)}>
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
        {onChange === undefined && isText && (
          <Code block tabIndex={0}>
            {policy[conditionName]}
          </Code>
        )}
        {!isText && <Text size="sm">{text('rules.function')}</Text>}
        {onChange !== undefined && isText && (
          <RuleCondition
            entityName={policy.entityName}
            condition={policy[conditionName] ?? ''}
            isBuilt={policy.type === 'query' && (policy.joinClause ?? '') === ''}
            error={mistakeOf(conditionName)}
            onChange={(value) => change({ [conditionName]: value })}
          />
        )}
        {onChange !== undefined &&
          policy.entityName !== '' &&
          policy[conditionName] !== '' &&
          mistakes.length === 0 &&
          data !== undefined && (
            <Text size="sm" role="status">
              {text('rules.noMistake')}
            </Text>
          )}
      </Stack>
    </Fieldset>
  );
}
