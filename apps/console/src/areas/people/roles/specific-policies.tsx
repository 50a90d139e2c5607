import { Checkbox, Fieldset, SimpleGrid, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import type { ResourcePolicy } from '../api/roles.ts';
import { groupOfSpecific, SPECIFIC_GROUPS } from './group-of-specific.ts';
import { hasPolicy, withPolicy } from './policy-set.ts';

interface SpecificPoliciesProps {
  readonly policies: readonly ResourcePolicy[];
  readonly onChange: ((policies: readonly ResourcePolicy[]) => void) | undefined;
}

/** The specific permissions of the API, and those that the role names besides, by what they are about. */
export function SpecificPolicies({ policies, onChange }: SpecificPoliciesProps) {
  const text = useText();
  const { client } = useModel();
  const { data } = useQuery({
    queryKey: ['people', 'specifics'],
    queryFn: async () => (await client.user.permissions()).specifics.map(({ target }) => target),
  });
  const own = policies.filter(({ type }) => type === 'specific').map(({ resource }) => resource);
  const names = [...new Set([...(data ?? []), ...own])].filter((name) => name !== '*');
  return (
    <>
      <Title order={2} size="h4">
        {text('roles.specifics')}
      </Title>
      <Choice name="*" label={text('roles.allSpecifics')} policies={policies} onChange={onChange} />
      {SPECIFIC_GROUPS.map((group) => {
        const shown = names.filter((name) => groupOfSpecific(name) === group);
        return shown.length === 0 ? null : (
          <Fieldset key={group} legend={text(`roles.group.${group}`)}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs">
              {shown.map((name) => (
                <Choice key={name} name={name} label={name} policies={policies} onChange={onChange} />
              ))}
            </SimpleGrid>
          </Fieldset>
        );
      })}
    </>
  );
}

interface ChoiceProps extends SpecificPoliciesProps {
  readonly name: string;
  readonly label: string;
}

const Choice = ({ name, label, policies, onChange }: ChoiceProps) => (
  <Checkbox
    label={label}
    checked={hasPolicy(policies, 'specific', name, 'access')}
    disabled={onChange === undefined}
    onChange={({ currentTarget }) =>
      onChange?.(withPolicy(policies, { type: 'specific', resource: name, action: 'access' }, currentTarget.checked))
    }
  />
);
