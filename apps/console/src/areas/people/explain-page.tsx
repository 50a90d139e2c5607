import { Alert, Button, Code, Group, List, Select, Stack, Text, Title } from '@mantine/core';
import { captionOf, useApi, useLanguage, useModel, useText } from '../../context.ts';
import { SubmitForm, TextField } from '../../controls/forms.tsx';
import '@mantine/core/styles/List.css';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '../../errors/pending.tsx';
import { addressedInstance } from '../data/addressed-instance.ts';
import { listedEntities } from '../data/readable-entities.ts';
import type { RowPolicy } from './api/roles.ts';
import classes from './people.module.css';
import { UserNameInput } from './users/user-name-input.tsx';

interface Reason {
  readonly reason: string;
  readonly roles?: readonly string[];
  readonly role?: string;
  readonly roleName?: string;
  readonly policy?: RowPolicy;
}

interface Explanation {
  readonly username: string;
  readonly isVisible: boolean;
  readonly hiddenAttributes: readonly string[];
  readonly reasons: readonly Reason[];
}

/** Why a user cannot see an instance, in words. */
export function ExplainPage() {
  const { text, locale } = useLanguage();
  const model = useModel();
  const api = useApi();
  const [username, setUsername] = useState('');
  const [entityName, setEntity] = useState<string | null>(null);
  const [id, setId] = useState('');
  const explain = useMutation({
    mutationFn: () =>
      api.get<Explanation>('rights', '/explanation', { username, entityName: entityName ?? '', id: id.trim() }),
  });
  const readable = listedEntities(model, locale).map(({ entityName }) => entityName);
  return (
    <Stack>
      <Title order={1}>{text('people.explain')}</Title>
      <Text size="sm">{text('people.explain.about')}</Text>
      <SubmitForm onSubmit={() => explain.mutate()}>
        <Group align="end">
          <UserNameInput
            style={{ flex: '1 1 180px' }}
            label={text('explain.user')}
            required
            value={username}
            onChange={setUsername}
          />
          <Select
            label={text('roles.entity')}
            required
            searchable
            value={entityName}
            onChange={setEntity}
            data={readable.map((value) => ({ value, label: `${captionOf(model, value)} (${value})` }))}
            style={{ flex: '2 1 240px' }}
          />
          <TextField
            label={text('explain.id')}
            description={text('explain.idHint')}
            required
            value={id}
            onChange={(value) => {
              const addressed = addressedInstance(value);
              if (addressed !== undefined && readable.includes(addressed.entityName)) setEntity(addressed.entityName);
              setId(addressed?.id ?? value);
            }}
            style={{ flex: '3 1 300px' }}
          />
          <Button variant="filled" type="submit" loading={explain.isPending} disabled={entityName === null}>
            {text('explain.now')}
          </Button>
        </Group>
      </SubmitForm>
      {explain.error !== null && <ErrorAlert error={explain.error} />}
      {explain.data !== undefined && <Result explanation={explain.data} entityName={entityName ?? ''} />}
    </Stack>
  );
}

function Result({ explanation, entityName }: { readonly explanation: Explanation; readonly entityName: string }) {
  const text = useText();
  const model = useModel();
  const { username, isVisible, reasons, hiddenAttributes } = explanation;
  return (
    <Stack role="status">
      <Alert variant="default" title={text(isVisible ? 'explain.visible' : 'explain.hidden', { name: username })}>
        <List size="sm" spacing="xs" styles={{ itemWrapper: { maxWidth: '100%' }, itemLabel: { minWidth: 0 } }}>
          {reasons.map((reason) => (
            <List.Item key={`${reason.reason} ${reason.role} ${reason.policy?.whereClause}`}>
              {text(`explain.${reason.reason}`, {
                name: username,
                entity: captionOf(model, entityName),
                role: reason.roleName ?? reason.role ?? '',
                roles: reason.roles?.join(', ') ?? '',
              })}
              {reason.policy !== undefined && (
                <Code block mt={4} className={classes['condition']}>
                  {reason.policy.whereClause ?? reason.policy.script ?? text('rules.function')}
                </Code>
              )}
            </List.Item>
          ))}
        </List>
        {isVisible && hiddenAttributes.length === 0 && <Text size="sm">{text('explain.everything')}</Text>}
        {hiddenAttributes.length > 0 && (
          <Text size="sm" mt="xs">
            {text('explain.hiddenAttributes', {
              names: hiddenAttributes.map((name) => captionOf(model, entityName, name)).join(', '),
            })}
          </Text>
        )}
      </Alert>
    </Stack>
  );
}
