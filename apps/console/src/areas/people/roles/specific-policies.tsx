import { Checkbox, SimpleGrid, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import type { ResourcePolicy } from '../api/roles.ts';
import { hasPolicy, withPolicy } from './policy-set.ts';

interface SpecificPoliciesProps {
  readonly policies: readonly ResourcePolicy[];
  readonly onChange: ((policies: readonly ResourcePolicy[]) => void) | undefined;
}

/** The specific permissions of the API, and those that the role names besides. */
export function SpecificPolicies({ policies, onChange }: SpecificPoliciesProps) {
  const text = useText();
  const { client } = useModel();
  const { data } = useQuery({
    queryKey: ['people', 'specifics'],
    queryFn: async () => (await client.user.permissions()).specifics.map(({ target }) => target),
  });
  const own = policies.filter(({ type }) => type === 'specific').map(({ resource }) => resource);
  const names = [...new Set(['*', ...(data ?? []), ...own])];
  return (
    <>
      <Title order={2} size="h4">
        {text('roles.specifics')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs">
        {names.map((name) => (
          <Checkbox
            key={name}
            label={name === '*' ? text('roles.allSpecifics') : name}
            checked={hasPolicy(policies, 'specific', name, 'access')}
            disabled={onChange === undefined}
            onChange={({ currentTarget }) =>
              onChange?.(
                withPolicy(policies, { type: 'specific', resource: name, action: 'access' }, currentTarget.checked),
              )
            }
          />
        ))}
      </SimpleGrid>
    </>
  );
}
